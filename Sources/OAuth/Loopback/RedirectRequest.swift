import OAuthCore

/// The parameters of a redirect, sent by GET (RFC 6749 section 4.1.2) or as the form of `response_mode=form_post`.
package struct RedirectRequest: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// In the order received.
  package let parameters: [RedirectParameter]
  package let acceptLanguage: String?
  /// The full received URL with its query, which contains the code.
  package let url: String
  /// Whether the browser requests the start of the sign-in instead of a redirect.
  package let isStart: Bool

  package init(parameters: [RedirectParameter], acceptLanguage: String? = nil, url: String, isStart: Bool = false) {
    self.parameters = parameters
    self.acceptLanguage = acceptLanguage
    self.url = url
    self.isStart = isStart
  }

  package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

  package var description: String { "redirect with \(parameters.map(\.name))" }
  package var debugDescription: String { description }
}

/// The sign-in's response to a redirect.
package enum RedirectAnswer: Sendable {
  /// The redirect belongs to no sign-in of this process (missing or unknown `state`). The response is 404, and the listener keeps waiting.
  case notOurs
  case page(ResultPage)
  /// Redirects the browser to the authorization page: the response to the start address.
  case elsewhere(String)

  var isPage: Bool { if case .page = self { true } else { false } }
}
