import OAuthCore

/// An HTTP request (RFC 9112 §3).
struct Request: Sendable {
  let method: String
  /// The percent-decoded path, which starts with `/`.
  let path: String
  let query: Fields
  let headers: [(name: String, value: String)]
  var body: [UInt8] = []
  let version: String

  /// Parses a request line and header lines. Returns nil if they aren't HTTP/1.
  init?(head: [UInt8]) {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: true)
    guard let first = lines.first else { return nil }
    let words = first.split(separator: " ")
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
    var headers: [(name: String, value: String)] = []
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers.append((String(line[..<colon]), String(value)))
    }
    method = String(words[0])
    version = String(words[2])
    self.headers = headers
    let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = PercentEncoding.lenientText(ArraySlice(parts[0].utf8), plusIsBlank: false)
    query = Fields(encoded: parts.dropFirst().joined().utf8)
  }

  /// The first value of a header. Names are compared without case (RFC 9110 §5.1).
  subscript(header name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }

  /// The body as form parameters, if its content type is a form.
  var form: Fields? {
    guard let type = self[header: "content-type"]?.lowercased(), type.hasPrefix("application/x-www-form-urlencoded") else { return nil }
    return Fields(encoded: body)
  }

  /// Returns the body as form parameters, none of which occurs twice (RFC 6749 §3.2).
  func checkedForm() throws(OAuthError) -> Fields {
    guard let form else { throw .invalidRequest("the body must be application/x-www-form-urlencoded") }
    if let name = form.duplicate { throw .invalidRequest("\(name) occurs twice") }
    return form
  }

  /// Checks that the client of a request is the registered one. Some clients name it by Basic, with an empty secret.
  func authenticateClient(_ form: Fields) throws(OAuthError) {
    let basic = credential(scheme: "basic").flatMap { try? Base64.decode($0) }
    let id = basic.map { PercentEncoding.lenientText($0.prefix { $0 != UInt8(ascii: ":") }, plusIsBlank: true) } ?? form.filled("client_id")
    guard id == Site.client, form.filled("client_secret") == nil else {
      throw OAuthError(code: "invalid_client", description: "the client is unknown or its secret is wrong", status: 401)
    }
  }

  /// Whether the connection stays open after the answer (RFC 9112 §9.3).
  var keepsConnection: Bool {
    let connection = self[header: "connection"]?.lowercased() ?? ""
    return version == "HTTP/1.1" ? !connection.contains("close") : connection.contains("keep-alive")
  }

  /// Returns the credential of an `Authorization` header with this scheme (RFC 9110 §11.4).
  func credential(scheme: String) -> String? {
    guard let value = self[header: "authorization"] else { return nil }
    let words = value.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == scheme else { return nil }
    return String(words[1])
  }
}
