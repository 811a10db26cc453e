import Jansson

/// A JSON object that a server says of itself, read strictly: a member of the wrong type is a fault and no absence.
struct MetadataDocument: Sendable {
  private let json: JSON
  private let url: String

  /// `url` is whose metadata it is.
  init(_ body: [UInt8], of url: String) throws(OAuthFailure) {
    self.url = url
    do {
      json = try JSON.parse(body)
    } catch {
      throw Self.fault("is no json", url)
    }
    guard json.members != nil else { throw Self.fault("is no object", url) }
  }

  func fault(_ problem: String) -> OAuthFailure { Self.fault(problem, url) }

  private static func fault(_ problem: String, _ url: String) -> OAuthFailure { .untrusted("what is published about \(url) \(problem)") }

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
