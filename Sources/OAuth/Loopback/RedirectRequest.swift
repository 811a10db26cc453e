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

  package init(parameters: [RedirectParameter], acceptLanguage: String? = nil, url: String) {
    self.parameters = parameters
    self.acceptLanguage = acceptLanguage
    self.url = url
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
}
