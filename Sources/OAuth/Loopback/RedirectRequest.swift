/// One decoded name and value of a redirect; the value may be a code or a token, so it never prints.
package struct RedirectParameter: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package let name: String
  package let value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  package var description: String { "\(name)=…" }
  package var debugDescription: String { description }
  /// The name alone: codes and states are among the values, and `dump` would show them.
  package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

/// What a browser brought to the redirect address, by GET (RFC 6749 section 4.1.2) or by the form of `response_mode=form_post`.
package struct RedirectRequest: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// In the order received.
  package let parameters: [RedirectParameter]
  package let acceptLanguage: String?
  /// The full URL as received, its query included; it holds the code.
  package let url: String
  /// Whether it is no redirect yet: the browser asks where the sign-in starts.
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

/// What the sign-in says to a redirect.
package enum RedirectAnswer: Sendable {
  /// No sign-in of ours (no `state`, or an unknown one): 404, and the waiting goes on.
  case notOurs
  case page(ResultPage)
  /// On to the authorization page: the answer to the start address.
  case elsewhere(String)

  var isPage: Bool { if case .page = self { true } else { false } }
}
