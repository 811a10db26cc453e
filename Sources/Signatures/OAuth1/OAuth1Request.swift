import OAuthCore

/// An HTTP request and all data for its signature (RFC 5849 §3). To sign again after a redirect, change `request` and `nonce`.
package struct OAuth1Request: Sendable {
  package var client: OAuth1Client
  /// nil while requesting temporary credentials (§2.1). An empty one is not sent.
  package var token: OAuth1Token?
  /// The unsigned request. The signature replaces an `Authorization` header.
  package var request: HTTPRequest
  /// The step's own parameters. Those named `oauth_…` go to the protocol's place, the others into the query, or into the form with `.body`.
  package var parameters: [OAuth1Parameter]
  /// Unique among the requests with the same timestamp, client and token (§3.3).
  package var nonce: String
  /// Unix seconds by the server's clock (§3.3).
  package var timestamp: Int64

  package init(
    _ request: HTTPRequest, client: OAuth1Client, token: OAuth1Token? = nil, parameters: [OAuth1Parameter] = [], nonce: String,
    timestamp: Int64
  ) {
    (self.client, self.token, self.request, self.parameters, self.nonce) = (client, token, request, parameters, nonce)
    self.timestamp = timestamp
  }

  /// Returns the signed request.
  ///
  /// Throws `configurationInvalid` for an invalid URL, a repeated `oauth_…` parameter, a method without its key, and PLAINTEXT without TLS.
  /// Also throws it for a file that is a form.
  package func signed() throws(OAuthFailure) -> HTTPRequest {
    let draft = try OAuth1Draft(self)
    let signature = try client.signatureMethod.signature(of: draft.baseString.bytes, client, tokenSecret: token?.secret)
    return try draft.request(signature: signature)
  }

  /// The protocol's parameters (§3.1) and the step's, without the signature.
  var protocolParameters: [OAuth1Parameter] {
    var all: [OAuth1Parameter] = []
    all.reserveCapacity(10)
    all.append(OAuth1Parameter("oauth_consumer_key", client.consumerKey))
    if let token, token.token != Secret("") { all.append(OAuth1Parameter("oauth_token", token.token.value)) }
    all.append(OAuth1Parameter("oauth_signature_method", client.signatureMethod.rawValue))
    all.append(OAuth1Parameter("oauth_version", "1.0"))
    for parameter in parameters where parameter.isProtocol { all.append(parameter) }
    all.append(OAuth1Parameter("oauth_nonce", nonce))
    all.append(OAuth1Parameter("oauth_timestamp", String(timestamp)))
    return all
  }
}

extension HTTPRequest {
  /// Returns a request without a form. A POST has an empty body, so that a Content-Length of 0 is sent.
  package static func toTokenEndpoint(_ endpoint: String, _ method: String) -> HTTPRequest {
    var request = HTTPRequest(method: method, url: endpoint, body: method == "POST" ? .bytes([]) : .none)
    request.timeout = 30
    // Credentials take a few hundred bytes; a response above a megabyte is something else.
    request.maxBytes = 1 << 20
    return request
  }
}

extension OAuth1Request {
  /// Parameters whose values are always secret: the protocol's, xAuth's, and those of OAuth 2.0 in a URL.
  private static let secretNames: Set<String> = [
    "oauth_token", "oauth_token_secret", "oauth_verifier", "oauth_session_handle", "oauth_signature", "x_auth_password", "password",
    "access_token", "refresh_token", "client_secret",
  ]

  /// The text that `signed()` would sign, with `…` in the place of each secret; nil for PLAINTEXT, which signs none.
  ///
  /// It shows the developer what the server signs differently.
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
