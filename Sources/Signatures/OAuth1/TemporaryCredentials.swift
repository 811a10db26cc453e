import OAuthCore

/// The response to a temporary credential request (RFC 5849 §2.1).
package struct TemporaryCredentials: Sendable, Equatable {
  package let token: OAuth1Token

  /// Throws the failure of an `OAuth1Problem` for an error response.
  ///
  /// Throws `responseUntrusted` without a token, a secret or, if it is `required`, `oauth_callback_confirmed=true`. A server that does not confirm
  /// uses the first version of OAuth 1.0, which is open to the session fixation attack of 2009.
  package init(
    _ response: HTTPResponse, sent request: OAuth1Request, confirmation: OAuth1Options.CallbackConfirmation = .required
  ) throws(OAuthFailure) {
    let parsed = try OAuth1Response(succeeding: response, request)
    token = try parsed.token()
    guard confirmation == .optional || parsed["oauth_callback_confirmed"]?.lowercased() == "true" else {
      throw .untrusted(
        "the server did not confirm the callback (oauth_callback_confirmed), so a sign-in may be open to session fixation: "
          + "to accept this server, set oauthCallbackConfirmed in the provider's description to optional")
    }
  }

  /// Returns the URL of the authorization page (§2.2): the endpoint with its own query, the token, and the service's extra parameters, such as `hd`.
  /// The URL is not signed.
  package func authorizationURL(_ endpoint: String, parameters: [OAuth1Parameter] = []) throws(OAuthFailure) -> String {
    do throws(URLFailure) {
      let pairs = [("oauth_token", token.token.value)] + parameters.filter { !$0.value.isEmpty }.map { ($0.name, $0.value) }
      return try URLParts(endpoint).appendingQuery(pairs).description
    } catch {
      throw OAuthFailure.misconfigured("/authorizationEndpoint", error.description)
    }
  }
}
