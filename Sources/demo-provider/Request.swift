import Jansson
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

/// An HTTP response.
struct Response: Sendable {
  var status = 200
  var headers: [(name: String, value: String)] = []
  var body: [UInt8] = []

  static func json(_ json: JSON, status: Int = 200, headers: [(name: String, value: String)] = []) -> Response {
    text(json.line, type: "application/json", status: status, headers: headers)
  }

  static func html(_ page: String, status: Int = 200) -> Response {
    text(page, type: "text/html; charset=utf-8", status: status, headers: [("Cache-Control", "no-store")])
  }

  /// Returns a page with a heading and a sentence.
  static func message(_ title: String, _ text: String, status: Int = 200) -> Response {
    html(Pages.page(title: title, body: "<h1>\(HTMLText.escaped(title))</h1>\n<p>\(HTMLText.escaped(text))</p>"), status: status)
  }

  static func notPossible(_ text: String) -> Response { message("Not possible", text, status: 400) }

  static func text(_ text: String, type: String, status: Int = 200, headers: [(name: String, value: String)] = []) -> Response {
    Response(status: status, headers: [("Content-Type", type)] + headers, body: Array(text.utf8))
  }

  static func redirect(to location: String) -> Response {
    Response(status: 302, headers: [("Location", location), ("Cache-Control", "no-store")])
  }

  static func notFound(_ description: String) -> Response { error("not_found", description, status: 404) }

  /// Returns the error for an unsupported method (RFC 9110 §15.5.6 requires `Allow`).
  static func methodNotAllowed(allow: String) -> Response {
    error("invalid_request", "the method must be \(allow)", status: 405, headers: [("Allow", allow)])
  }

  /// Returns an error in the format of RFC 6749 §5.2.
  static func error(
    _ code: String, _ description: String, status: Int = 400, headers: [(name: String, value: String)] = []
  ) -> Response {
    json(
      ["error": .string(code), "error_description": .string(description)], status: status,
      headers: [("Cache-Control", "no-store")] + headers)
  }

  /// Returns the status line, whose phrase may be empty (RFC 9112 §4), and the headers.
  func head(keepsConnection: Bool) -> [UInt8] {
    var head = "HTTP/1.1 \(status) \r\n"
    // A value from the request can contain a line break, which would start another header (RFC 9110 §5.5).
    for header in headers { head += "\(header.name): \(header.value.filter { !$0.isNewline })\r\n" }
    head += "Content-Length: \(body.count)\r\n"
    head += keepsConnection ? "\r\n" : "Connection: close\r\n\r\n"
    return Array(head.utf8)
  }
}

/// A request to the demo, and its answer.
struct Call: Sendable {
  let request: Request
  let site: Site

  /// The issuer identifier, which is also the prefix of the endpoints' URLs (RFC 8414 §2).
  var issuer: String { site.origin }

  /// The paths of the metadata are those of RFC 8414 §3 and OpenID Connect Discovery 1.0 §4.
  var answer: Response {
    let path = request.path
    if path.hasPrefix("/api/") { return api(path.dropFirst(5)) }
    return switch path {
    case "/": .message("demo-provider", "An authorization server for trying things out. Its issuer: \(issuer)")
    case "/authorize": authorization
    case "/authorize/decision": decision
    case "/token": token
    case "/revoke": revocation
    case "/device_authorization": deviceAuthorization
    case "/device": devicePage
    case "/jwks": .json(site.signer.keySet)
    case "/userinfo": api("userinfo")
    case "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration": .json(metadata)
    default: .notFound("nothing is at \(path)")
    }
  }

  /// Answers a POST of a client with a form.
  func post(_ work: (Fields) throws(OAuthError) -> Response) -> Response {
    guard request.method == "POST" else { return .methodNotAllowed(allow: "POST") }
    do throws(OAuthError) {
      let form = try request.checkedForm()
      try request.authenticateClient(form)
      return try work(form)
    } catch {
      return error.response
    }
  }
}

/// Form or query parameters in order, including duplicates.
struct Fields: Sendable {
  var pairs: [(name: String, value: String)]

  init(_ pairs: [(name: String, value: String)]) { self.pairs = pairs }

  /// Decodes `application/x-www-form-urlencoded`.
  init(encoded: some Sequence<UInt8>) { pairs = FormEncoding.decodeLeniently(Array(encoded)).map { (name: $0, value: $1) } }

  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// Returns the parameter's value. An empty one counts as absent (RFC 6749 §3.1).
  func filled(_ name: String) -> String? {
    guard let value = self[name], !value.isEmpty else { return nil }
    return value
  }

  /// The requested scopes.
  var scopes: [String]? { filled("scope").map { $0.split(separator: " ").map(String.init) } }

  /// The first name that occurs twice, which RFC 6749 §3.1 and §3.2 forbid.
  var duplicate: String? {
    var seen: Set<String> = []
    return pairs.first { !seen.insert($0.name).inserted }?.name
  }

  var encoded: String { pairs.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }.joined(separator: "&") }

  /// The parameters as an object. A name that occurs more than once has an array.
  var json: JSON {
    var seen: Set<String> = []
    return .object(
      pairs.filter { seen.insert($0.name).inserted }.map { first in
        let all = pairs.filter { $0.name == first.name }.map { JSON.string($0.value) }
        return .init(first.name, all.count == 1 ? all[0] : .array(all))
      })
  }
}
