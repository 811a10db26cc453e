import OAuthCore

extension LoopbackRequest {
  /// The parameters of a redirect, sent by GET (RFC 6749 section 4.1.2) or as the form of `response_mode=form_post`.
  package struct Redirect: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// In the order received.
    package let parameters: [RedirectParameter]
    let acceptLanguage: String?
    /// The full received URL with its query, which contains the code.
    let url: String
    /// Whether the browser requests the start of the sign-in instead of a redirect.
    package let isStart: Bool

    init(parameters: [RedirectParameter], acceptLanguage: String? = nil, url: String, isStart: Bool = false) {
      (self.parameters, self.acceptLanguage, self.url, self.isStart) = (parameters, acceptLanguage, url, isStart)
    }

    /// The received URL without its query, which names the redirect URI.
    package var place: String { String(url.prefix { $0 != "?" }) }

    /// Returns the received URL at another origin.
    package func url(at origin: String) -> String { origin + url.dropFirst("http://".count).drop { $0 != "/" } }

    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    package var description: String { "redirect with \(parameters.map(\.name))" }
    package var debugDescription: String { description }

    /// The sign-in's response to a redirect.
    package enum Answer: Sendable {
      /// The redirect belongs to no sign-in of this process (missing or unknown `state`). The response is 404, and the listener keeps waiting.
      case notOurs
      case page(ResultPage)
      /// Redirects the browser to the authorization page: the response to the start address.
      case elsewhere(String)
      /// Sends the browser to the process whose sign-in the redirect belongs to, with the same method and form.
      case forwarded(String)

      var isPage: Bool { if case .page = self { true } else { false } }
    }

    /// Names that decide a sign-in. With a repeated name or a broken value, two parsers could see different responses (RFC 6749 section 3.1).
    private static let single: Set<String> = ["code", "state", "error", "iss", "oauth_token", "oauth_verifier"]

    /// Decodes the `application/x-www-form-urlencoded` query or form of a redirect (WHATWG URL 5.1).
    ///
    /// Rejects with 400 a repeated name of that list, and an incomplete escape or invalid UTF-8 in its value.
    /// Other values are decoded leniently, as browsers do: a description in Latin-1 must not hide `error` and `state`.
    package static func parameters(_ bytes: some Sequence<UInt8>) throws(LoopbackRequest.Rejection) -> [RedirectParameter] {
      var parameters: [RedirectParameter] = []
      var seen: Set<String> = []
      for piece in Array(bytes).split(separator: UInt8(ascii: "&")) {
        let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
        let name = lenientText(piece[..<equals])
        let value = piece[equals...].dropFirst()
        if single.contains(name), !seen.insert(name).inserted { throw .badRequest("\(name) occurs twice") }
        parameters.append(RedirectParameter(name: name, value: single.contains(name) ? try strictText(value) : lenientText(value)))
      }
      return parameters
    }

    private static func strictText(_ bytes: ArraySlice<UInt8>) throws(LoopbackRequest.Rejection) -> String {
      guard let decoded = PercentEncoding.decode(bytes, plusIsBlank: true) else { throw .badRequest("a percent escape is incomplete") }
      guard let text = String(validating: decoded, as: UTF8.self) else { throw .badRequest("a parameter is not UTF-8") }
      return text
    }

    private static func lenientText(_ bytes: ArraySlice<UInt8>) -> String { PercentEncoding.lenientText(bytes, plusIsBlank: true) }
  }
}
