/// A request that is rejected before it reaches the sign-in: the status and a short text.
struct LoopbackRejection: Error, Equatable {
  let status: Int
  let reason: String

  static func badRequest(_ reason: String) -> LoopbackRejection { LoopbackRejection(status: 400, reason: reason) }
  static let notFound = LoopbackRejection(status: 404, reason: "there is nothing here")
}

/// The bytes of a response. Its connection is closed afterwards.
struct LoopbackResponse {
  private let status: Int
  private let contentType: String
  private let body: [UInt8]
  private let style: String
  private let contentLanguage: String
  private var location: String?

  init(_ refusal: LoopbackRejection) {
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

  init(_ answer: RedirectAnswer, acceptLanguage: String?) {
    switch answer {
    case .notOurs: self.init(ResultPage(.outdated), acceptLanguage: acceptLanguage)
    case .page(let page): self.init(page, acceptLanguage: acceptLanguage)
    case .elsewhere(let url):
      self.init(LoopbackRejection(status: 302, reason: "the page is elsewhere"))
      location = url
    }
  }

  /// The response allows no storing, embedding, scripts or loading. The code in the page's address is sent as referrer to no server (RFC 9700 section
  /// 4.2.4).
  var bytes: [UInt8] {
    var head = "HTTP/1.1 \(status) \(Self.phrase(status))\r\n"
    head += "Content-Type: \(contentType)\r\nContent-Length: \(body.count)\r\nContent-Language: \(contentLanguage)\r\n"
    head += "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
    head += "Content-Security-Policy: default-src 'none';\(style) base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    if let location { head += "Location: \(location)\r\n" }
    if status == 405 { head += "Allow: GET, POST\r\n" }
    head += "Connection: close\r\n\r\n"
    return Array(head.utf8) + body
  }

  private static func phrase(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 302: "Found"
    case 400: "Bad Request"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 431: "Request Header Fields Too Large"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    default: "Answer"
    }
  }
}
