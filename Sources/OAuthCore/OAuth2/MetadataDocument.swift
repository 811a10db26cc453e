import Jansson

/// A JSON object of metadata that a server publishes, read strictly: a member of the wrong type is an error.
package struct MetadataDocument: Sendable {
  private var json: JSON
  private let url: URLParts

  /// `url` is the server or resource that the metadata describes.
  package init(_ body: [UInt8], of url: URLParts) throws(OAuthFailure) {
    self.url = url
    do {
      json = try JSON.parse(body)
    } catch {
      // A number beyond 64 bits in one member does not invalidate the others.
      guard case .numberOutOfRange(let rest?) = error else { throw Self.fault("is not json", url) }
      json = rest
    }
    guard json.members != nil else { throw Self.fault("is not an object", url) }
  }

  /// Returns this document with the members that only `other` has. Ignores `other` if its issuer differs.
  package func filled(from other: MetadataDocument) throws(OAuthFailure) -> MetadataDocument {
    guard try other.text("issuer") == text("issuer") else { return self }
    let own = (json.members ?? []).filter { $0.value != .null }
    var filled = self
    filled.json = .object(own + (other.json.members ?? []).filter { member in !own.contains { $0.name == member.name } })
    return filled
  }

  package func fault(_ problem: String) -> OAuthFailure { Self.fault(problem, url) }

  private static func fault(_ problem: String, _ url: URLParts) -> OAuthFailure {
    .untrusted("the metadata of \(url.shown) \(problem)")
  }

  /// Returns the URL in the member `name`.
  package func endpoint(_ name: String, isPage: Bool = false) throws(OAuthFailure) -> String? {
    guard let place = try text(name) else { return nil }
    if let problem = Self.problem(ofPlace: place, named: url, isPage: isPage) { throw fault("has a wrong \(name): it \(problem)") }
    return place
  }

  /// Returns what is wrong with a URL that `speaker` names. A remote server must not name a URL on this machine or in a private network
  /// (RFC 9728, 7.7), nor use {names} as placeholders.
  package static func problem(ofPlace place: String, named speaker: URLParts, isPage: Bool = false) -> String? {
    if let problem = Provider.problem(ofEndpoint: place, isPage: isPage) { return problem }
    if place.utf8.contains(where: { "{}".utf8.contains($0) }) { return "contains braces" }
    guard let scope = (try? URLParts(place)).map(NetworkScope.init), scope > NetworkScope(speaker) else { return nil }
    return "is \(scope.place)"
  }

  package func text(_ name: String) throws(OAuthFailure) -> String? {
    switch json[name] {
    case nil, .null?: return nil
    case .string(let text)? where !text.isEmpty: return text
    default: throw fault("has a \(name) that is not a string")
    }
  }

  package func texts(_ name: String) throws(OAuthFailure) -> [String]? {
    switch json[name] {
    case nil, .null?: return nil
    case .array(let values)?:
      let texts = values.compactMap(\.string)
      guard texts.count == values.count else { throw fault("has a \(name) with values other than strings") }
      return texts
    default: throw fault("has a \(name) that is not a list")
    }
  }

  func isTrue(_ name: String) -> Bool { json[name] == .bool(true) }
}
