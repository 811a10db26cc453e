import OAuthCore

extension OAuth1Request {
  /// Parameters whose values are always secret: the protocol's, xAuth's, and those of OAuth 2.0 in a URL.
  private static let secretNames: Set<String> = [
    "oauth_token", "oauth_token_secret", "oauth_verifier", "oauth_session_handle", "oauth_signature", "x_auth_password", "password",
    "access_token", "refresh_token", "client_secret",
  ]

  /// The text that `signed()` would sign, with `…` in the place of each secret; nil for PLAINTEXT, which signs none.
  ///
  /// It shows the developer what the server signs differently. GTMOAuth logged it when built with GTL_DEBUG_OAUTH_SIGNING, with the secrets.
  package func maskedBaseString() throws(OAuthFailure) -> String? {
    let baseString = try OAuth1Draft(self).baseString
    if client.signatureMethod == .plaintext { return nil }
    let secrets = Set(
      [client.consumerSecret.value, token?.token.value, token?.secret.value].compactMap { $0 }.filter { !$0.isEmpty }
        .map { PercentEncoding.encode($0) })
    // `…` itself is not encoded, so that it stays recognisable.
    let parameters = baseString.parameters.pairs.map { name, value in
      let isSecret = (Self.secretNames.contains(name) || secrets.contains(value)) && !value.isEmpty
      return PercentEncoding.encode(name) + "%3D" + (isSecret ? "…" : PercentEncoding.encode(value))
    }
    return PercentEncoding.encode(baseString.method) + "&" + PercentEncoding.encode(baseString.uri) + "&"
      + parameters.joined(separator: "%26")
  }
}
