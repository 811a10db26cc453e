import Jansson

/// The result of a verified assertion: the user, and the signed attributes.
package struct OpenIDIdentity: Sendable {
  /// The claimed identifier.
  package var subject: String?
  package var attributes: [(name: String, value: String)] = []
  /// The OAuth extension's token, approved with the sign-in; nil if not requested or not approved.
  package var requestToken: Secret?
  /// The scopes of that token, if the provider names them.
  package var scopes: [String]?

  package init() {}

  /// `trusted` contains only the signed fields.
  package init(_ trusted: OpenIDMessage, subject: String?, _ options: OpenIDOptions) {
    self.subject = subject
    attributes = options.openidAttributes.values(in: trusted)
    if let alias = trusted.alias(of: OpenIDMessage.oauth) ?? (options.openidDialect == .bare ? "oauth" : nil) {
      requestToken = trusted["\(alias).request_token"].map(Secret.init)
      scopes = trusted["\(alias).scope"].flatMap { JSON.string($0).scopes }
    }
  }
}
