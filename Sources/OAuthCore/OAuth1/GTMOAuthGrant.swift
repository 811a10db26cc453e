/// GTMOAuth's keychain entry: one string of encoded names and values, without those that have no value.
package struct GTMOAuthGrant: Sendable, Equatable {
  package var token: OAuth1Token
  package var serviceProvider: String?
  package var email: String?
  /// Whether the service had verified the address, in the service's own words.
  package var isVerified: String?

  package init(token: OAuth1Token, serviceProvider: String? = nil, email: String? = nil, isVerified: String? = nil) {
    self.token = token
    self.serviceProvider = serviceProvider
    self.email = email
    self.isVerified = isVerified
  }

  /// Reads the string; throws `configurationInvalid` without a token. The secret may be missing, since GTMOAuth omitted an empty one.
  package init(_ text: Secret) throws(OAuthFailure) {
    let members = OAuth1Form.decode(text.value.utf8)
    func value(_ name: String) -> String? { members.last { $0.name == name && !$0.value.isEmpty }?.value }
    guard let token = value("oauth_token") else {
      throw OAuthFailure(.configurationInvalid, "the stored grant has no oauth_token", details: [.init("path", "/data")])
    }
    self.init(
      token: OAuth1Token(token: Secret(token), secret: Secret(value("oauth_token_secret") ?? "")),
      serviceProvider: value("serviceProvider"), email: value("email"), isVerified: value("isVerified"))
  }

  /// The string, in GTMOAuth's order.
  package var text: Secret {
    Secret(
      OAuth1Form.encode([
        OAuth1Parameter("oauth_token", token.token.value), OAuth1Parameter("oauth_token_secret", token.secret.value),
        OAuth1Parameter("serviceProvider", serviceProvider ?? ""), OAuth1Parameter("email", email ?? ""),
        OAuth1Parameter("isVerified", isVerified ?? ""),
      ]))
  }
}
