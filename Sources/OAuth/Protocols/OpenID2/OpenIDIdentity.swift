import Jansson

/// What a believed assertion says: who signed in, and what the provider told of them under its signature.
struct OpenIDIdentity: Sendable {
  /// The claimed identifier.
  var subject: String?
  var attributes: [(name: String, value: String)] = []
  /// The OAuth extension's token, approved with the sign-in; nil where none was asked for or approved.
  var requestToken: Secret?
  /// What that token was approved for, where the provider says so.
  var scopes: [String]?

  init() {}

  /// `trusted` has the fields that count: those that the signature covers. Attribute Exchange's word stands before Simple Registration's where both have one of a name.
  init(_ trusted: OpenIDMessage, subject: String?, _ manner: OpenIDManner) {
    self.subject = subject
    attributes = manner.openidAttributes.values(in: trusted)
    for (name, value) in manner.openidRegistration.values(in: trusted) where !attributes.contains(where: { $0.name == name }) {
      attributes.append((name, value))
    }
    if let alias = trusted.alias(of: OpenIDMessage.oauth) ?? (manner.openidDialect == .bare ? "oauth" : nil) {
      requestToken = trusted["\(alias).request_token"].map(Secret.init)
      scopes = TokenResponse.scopes(trusted["\(alias).scope"].map { .string($0) })
    }
  }

  func add(to grant: inout Grant) {
    grant.subject = subject
    let shown = attributes.filter { !$0.value.utf8.contains { $0 < 0x20 || $0 == 0x7F } }
    grant.attributes = grant.attributes.merged(with: NamedValues(shown))
    grant.email = shown.first { $0.name == "email" }?.value ?? grant.email
  }
}
