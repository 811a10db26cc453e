/// The result of a verified assertion: the user, and the signed attributes.
package struct OpenIDIdentity: Sendable {
  /// The claimed identifier.
  package var subject: String?
  package var attributes: [(name: String, value: String)] = []

  package init() {}

  /// `trusted` contains only the signed fields.
  package init(_ trusted: OpenIDMessage, subject: String?, _ options: OpenIDOptions) {
    self.subject = subject
    attributes = options.openidAttributes.values(in: trusted)
  }
}
