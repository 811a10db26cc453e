/// The bytes of a response. Its connection is closed afterwards.
struct LoopbackResponse {
  /// A request that is rejected before it reaches the sign-in: the status and a short text.
  struct Rejection: Error {
    let status: Int
    let reason: String

    static func badRequest(_ reason: String) -> Rejection { Rejection(status: 400, reason: reason) }
    static let notFound = Rejection(status: 404, reason: "there is nothing here")
  }

  private let status: Int
  private let contentType: String
  private let body: [UInt8]
  private let style: String
  private let contentLanguage: String
  private var location: String?

  init(_ refusal: Rejection) {
    status = refusal.status
    contentType = "text/plain; charset=utf-8"
    body = Array("\(refusal.reason)\n".utf8)
    style = ""
    contentLanguage = "en"
  }

  init(_ page: ResultPage, acceptLanguage: String?) {
    let rendered = page.render(acceptLanguage: acceptLanguage)
    status = page.status
    contentType = "text/html; charset=utf-8"
    body = rendered.html
    style = " style-src '\(ResultPage.styleHash)';"
    contentLanguage = rendered.contentLanguage
  }

  init(_ answer: RedirectRequest.Answer, acceptLanguage: String?) {
    switch answer {
    case .notOurs: self.init(ResultPage(.outdated), acceptLanguage: acceptLanguage)
    case .page(let page): self.init(page, acceptLanguage: acceptLanguage)
    case .elsewhere(let url):
      self.init(Rejection(status: 302, reason: "the page is elsewhere"))
      location = url
    }
  }

  /// The response allows no storing, embedding, scripts or loading. The code in the page's address is sent as referrer to no server (RFC 9700 section
  /// 4.2.4).
  var bytes: [UInt8] {
    var head = "HTTP/1.1 \(status) \(Self.phrases[status] ?? "")\r\n"
    head += "Content-Type: \(contentType)\r\nContent-Length: \(body.count)\r\nContent-Language: \(contentLanguage)\r\n"
    head += "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
    head += "Content-Security-Policy: default-src 'none';\(style) base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    if let location { head += "Location: \(location)\r\n" }
    if status == 405 { head += "Allow: GET, POST\r\n" }
    head += "Connection: close\r\n\r\n"
    return Array(head.utf8) + body
  }

  private static let phrases = [
    200: "OK", 302: "Found", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout",
    411: "Length Required", 413: "Content Too Large", 415: "Unsupported Media Type", 417: "Expectation Failed", 421: "Misdirected Request",
    431: "Request Header Fields Too Large", 501: "Not Implemented", 503: "Service Unavailable", 504: "Gateway Timeout",
    505: "HTTP Version Not Supported",
  ]
}
