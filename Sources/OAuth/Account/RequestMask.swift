import Jansson

/// Shows a request without what it proves by: credentials of the client, a verifier, a signature.
struct RequestMask: Sendable {
  static let mark = "…"

  /// Values that must not be seen wherever they stand.
  private let hidden: [String]

  /// The header that carries a signature, where there is one.
  private let signature: String?

  init(hiding hidden: [String], signature: String? = nil) {
    self.hidden = hidden
    self.signature = signature
  }

  func step(_ name: String, _ request: HTTPRequest) -> Rehearsal.Step {
    var body: String?
    if case .bytes(let bytes) = request.body, !bytes.isEmpty { body = shown(String(decoding: bytes, as: UTF8.self)) }
    let headers = request.headers.map { header in
      if header.name == signature { return (header.name, Self.mark) }
      return (header.name, header.value.hasPrefix("Basic ") ? "Basic \(Self.mark)" : shown(header.value))
    }
    return Rehearsal.Step(name: name, method: request.method, url: shown(request.url), headers: NamedValues(headers), body: body)
  }

  private func shown(_ text: String) -> String {
    var text = text
    for value in hidden { text = text.split(separator: value, omittingEmptySubsequences: false).joined(separator: Self.mark) }
    return Self.withoutSignature(text)
  }

  /// OAuth 1.0a's signature (RFC 5849, 3.5): in a header between quotes, in a form or a query up to the next parameter.
  private static func withoutSignature(_ text: String) -> String {
    let parts = text.split(separator: "oauth_signature=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return text }
    let isQuoted = parts[1].first == "\""
    let value = isQuoted ? parts[1].dropFirst() : parts[1]
    let end = value.firstIndex(of: isQuoted ? "\"" : "&") ?? value.endIndex
    return parts[0] + "oauth_signature=" + (isQuoted ? "\"" : "") + mark + value[end...]
  }
}
