import Jansson
import OAuthCore

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
