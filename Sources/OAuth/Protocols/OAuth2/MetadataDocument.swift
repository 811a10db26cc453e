import Jansson

/// A JSON object that a server says of itself, read strictly: a member of the wrong type is a fault and no absence.
struct MetadataDocument: Sendable {
  private var json: JSON
  private let url: URLParts

  /// `url` is whose metadata it is.
  init(_ body: [UInt8], of url: URLParts) throws(OAuthFailure) {
    self.url = url
    do {
      json = try JSON.parse(body)
    } catch {
      // A number beyond 64 bits in some member is no reason not to read the others.
      guard case .numberOutOfRange(let rest?) = error else { throw Self.fault("is no json", url) }
      json = rest
    }
    guard json.members != nil else { throw Self.fault("is no object", url) }
  }

  /// This document with the members of `other` that it lacks, where both are of one issuer.
  func filled(from other: MetadataDocument) throws(OAuthFailure) -> MetadataDocument {
    guard try other.text("issuer") == text("issuer") else { return self }
    let own = (json.members ?? []).filter { $0.value != .null }
    var filled = self
    filled.json = .object(own + (other.json.members ?? []).filter { member in !own.contains { $0.name == member.name } })
    return filled
  }

  func fault(_ problem: String) -> OAuthFailure { Self.fault(problem, url) }

  private static func fault(_ problem: String, _ url: URLParts) -> OAuthFailure {
    .untrusted("what is published about \(url.shown) \(problem)")
  }

  /// A place that the document names; `name` is its member.
  func endpoint(_ name: String, isPage: Bool = false) throws(OAuthFailure) -> String? {
    guard let place = try text(name) else { return nil }
    if let problem = Self.problem(ofPlace: place, named: url, isPage: isPage) { throw fault("has a \(name) that \(problem)") }
    return place
  }

  /// What is wrong with a place that `speaker` names. A server elsewhere names no place on this machine or in a private network (RFC 9728, 7.7), and
  /// writes no {names} for others to fill in.
  static func problem(ofPlace place: String, named speaker: URLParts, isPage: Bool = false) -> String? {
    if let problem = Provider.problem(ofEndpoint: place, isPage: isPage) { return problem }
    if place.utf8.contains(where: { "{}".utf8.contains($0) }) { return "has braces in it" }
    guard let scope = (try? URLParts(place)).map(NetworkScope.init), scope > NetworkScope(speaker) else { return nil }
    return "is \(scope.place)"
  }

  func text(_ name: String) throws(OAuthFailure) -> String? {
    switch json[name] {
    case nil, .null?: return nil
    case .string(let text)? where !text.isEmpty: return text
    default: throw fault("has a \(name) that is no text")
    }
  }

  func texts(_ name: String) throws(OAuthFailure) -> [String]? {
    switch json[name] {
    case nil, .null?: return nil
    case .array(let values)?:
      let texts = values.compactMap(\.string)
      guard texts.count == values.count else { throw fault("has \(name) with something else than texts") }
      return texts
    default: throw fault("has \(name) that are no list")
    }
  }

  func isTrue(_ name: String) -> Bool { json[name] == .bool(true) }
}
