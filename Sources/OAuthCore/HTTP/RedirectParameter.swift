/// A decoded name and value of a redirect. The value may be a code or a token, so it is never printed.
package struct RedirectParameter: Equatable, Sendable, Confidential {
  package let name: String
  package let value: String

  package init(name: String, value: String) { (self.name, self.value) = (name, value) }

  package var description: String { "\(name)=…" }
  /// Shows only the name, because `dump` would show the value, which may be a code or state.
  package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
