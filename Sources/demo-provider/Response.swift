import Jansson

/// A response, or deliberately something else.
struct Response: Sendable {
  enum Content: Sendable {
    case bytes([UInt8])
    /// A long body that is never completely in memory.
    case stream(Stream)
    /// Bytes in place of HTTP. The connection is closed after them.
    case raw([UInt8])
    /// Closes the connection without an answer.
    case close
    /// Sends nothing. The connection stays open until the other side closes it.
    case silence
  }

  /// A prefix, one byte repeated `count` times, and a suffix.
  struct Stream: Sendable {
    enum Framing: Sendable { case contentLength, chunked, untilClose }
    var prefix: [UInt8] = []
    var fill: UInt8
    var count: Int
    var suffix: [UInt8] = []
    var framing = Framing.contentLength
    var length: Int { prefix.count + count + suffix.count }
  }

  var status = 200
  var headers: [(name: String, value: String)] = []
  var content = Content.bytes([])
  /// Seconds before the first byte.
  var delay = 0

  static func json(_ json: JSON, status: Int = 200, headers: [(name: String, value: String)] = []) -> Response {
    bytes(json.text, type: "application/json", status: status, headers: headers)
  }

  static func html(_ page: String, status: Int = 200) -> Response {
    text(page, type: "text/html; charset=utf-8", status: status, headers: [("Cache-Control", "no-store")])
  }

  static func text(_ text: String, type: String, status: Int = 200, headers: [(name: String, value: String)] = []) -> Response {
    bytes(Array(text.utf8), type: type, status: status, headers: headers)
  }

  static func bytes(_ bytes: [UInt8], type: String, status: Int = 200, headers: [(name: String, value: String)] = []) -> Response {
    Response(status: status, headers: [("Content-Type", type)] + headers, content: .bytes(bytes))
  }

  static func redirect(to location: String, status: Int = 302) -> Response {
    Response(status: status, headers: [("Location", location), ("Cache-Control", "no-store")])
  }

  static func notFound(_ description: String) -> Response {
    error("not_found", description, status: 404)
  }

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

  /// Returns the status line and the headers for a body of this length. nil means an unknown length.
  func head(length: Int?, chunked: Bool, keepsConnection: Bool) -> [UInt8] {
    var head = "HTTP/1.1 \(status) \(Self.reason(status))\r\n"
    // A value from the request can contain a line break, which would start another header (RFC 9110 §5.5).
    for header in headers { head += "\(header.name): \(header.value.filter { !$0.isNewline })\r\n" }
    if chunked {
      head += "Transfer-Encoding: chunked\r\n"
    } else if let length, status >= 200, status != 204, status != 304 {
      head += "Content-Length: \(length)\r\n"
    }
    head += keepsConnection ? "\r\n" : "Connection: close\r\n\r\n"
    return Array(head.utf8)
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 204: "No Content"
    case 302: "Found"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    default: "Status \(status)"
    }
  }
}
