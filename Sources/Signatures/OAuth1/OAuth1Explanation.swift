import OAuthCore

/// What a signature covers, for debugging a signature that a service rejects. Secrets appear as `…`.
///
/// GTMOAuth printed the same when built with GTL_DEBUG_OAUTH_SIGNING, but with the secrets.
package struct OAuth1Explanation: Sendable, Equatable {
  package let signatureMethod: String
  package let method: String
  package let baseStringUri: String
  /// Names and values as in the base string: encoded once, sorted.
  package let normalizedParameters: [OAuth1Parameter]
  /// nil for PLAINTEXT, which signs nothing.
  package let baseString: String?
  /// The kind of the key and its parts.
  package let key: String

  package static let sample = OAuth1Explanation(
    signatureMethod: "", method: "", baseStringUri: "", normalizedParameters: [], baseString: "", key: "")
}

extension OAuth1Request {
  /// Parameters whose values are always secret: the protocol's, xAuth's, and those of OAuth 2.0 in a URL.
  private static let secretNames: Set<String> = [
    "oauth_token", "oauth_token_secret", "oauth_verifier", "oauth_session_handle", "oauth_signature", "x_auth_password", "password",
    "access_token", "refresh_token", "client_secret",
  ]

  /// Explains the signature that `signed()` would make. Throws the same errors.
  package func explanation() throws(OAuthFailure) -> OAuth1Explanation {
    let baseString = try OAuth1Draft(self).baseString
    if client.signatureMethod.usesPrivateKey { _ = try client.rsaKey() }
    let secrets = Set(
      [client.consumerSecret.value, token?.token.value, token?.secret.value].compactMap { $0 }.filter { !$0.isEmpty }
        .map { PercentEncoding.encode($0) })
    let shown = baseString.parameters.pairs.map { name, value in
      let isSecret = Self.secretNames.contains(name) || secrets.contains(value)
      return OAuth1Parameter(name, isSecret && !value.isEmpty ? "…" : value)
    }
    return OAuth1Explanation(
      signatureMethod: client.signatureMethod.rawValue, method: baseString.method, baseStringUri: baseString.uri,
      normalizedParameters: shown,
      baseString: client.signatureMethod == .plaintext ? nil : Self.text(baseString, shown),
      key: client.signatureMethod.usesPrivateKey ? "private key" : "consumer secret & token secret\(token == nil ? " (none)" : "")")
  }

  /// Returns the base string with secrets replaced. `…` itself is not encoded, so that it stays recognisable.
  private static func text(_ baseString: SignatureBaseString, _ shown: [OAuth1Parameter]) -> String {
    let parameters = shown.map { parameter in
      let value = parameter.value == "…" ? "…" : PercentEncoding.encode(parameter.value)
      return PercentEncoding.encode(parameter.name) + "%3D" + value
    }
    return PercentEncoding.encode(baseString.method) + "&" + PercentEncoding.encode(baseString.uri) + "&"
      + parameters.joined(separator: "%26")
  }
}
