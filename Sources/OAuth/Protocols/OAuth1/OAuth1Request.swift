import Jansson

/// An HTTP request and all that its signature needs (RFC 5849 §3); to sign anew after a redirect, change `request` and `nonce`.
package struct OAuth1Request: Sendable {
  package var client: OAuth1Client
  /// None while temporary credentials are asked for (§2.1).
  package var token: OAuth1Token?
  /// As it would go out unsigned. An `Authorization` of its own gives way to the signature's.
  package var request: HTTPRequest
  /// What a step adds: those named `oauth_…` go where the protocol's own go, the others into the query, or into the form with `.body`.
  package var parameters: [OAuth1Parameter]
  /// Unique among the requests with the same timestamp, client and token (§3.3).
  package var nonce: String
  /// Unix seconds by the server's clock (§3.3).
  package var timestamp: Int64

  package init(
    _ request: HTTPRequest, client: OAuth1Client, token: OAuth1Token? = nil, parameters: [OAuth1Parameter] = [], nonce: String,
    timestamp: Int64
  ) {
    self.client = client
    self.token = token
    self.request = request
    self.parameters = parameters
    self.nonce = nonce
    self.timestamp = timestamp
  }

  /// The request as it is sent. What can't be signed is `configurationInvalid`: a URL that is none, a second `oauth_…` of the same name,
  /// a method without its key, PLAINTEXT without TLS, a form or a body to be hashed that lies in a file.
  package func signed() throws(OAuthFailure) -> HTTPRequest {
    let draft = try OAuth1Draft(self)
    let key = try client.signatureKey(tokenSecret: token?.secret)
    let signature = try client.signatureMethod.signature(of: draft.baseString.bytes, key: key)
    return try draft.request(signature: signature)
  }

  /// The parameters that the protocol wants (§3.1), those of the step among them, in GTMOAuth's order and without the signature.
  func protocolParameters(bodyHash: String?) -> [OAuth1Parameter] {
    var all: [OAuth1Parameter] = []
    all.reserveCapacity(10)
    all.append(OAuth1Parameter("oauth_consumer_key", client.consumerKey))
    if let token { all.append(OAuth1Parameter("oauth_token", token.token.value)) }
    all.append(OAuth1Parameter("oauth_signature_method", client.signatureMethod.rawValue))
    all.append(OAuth1Parameter("oauth_version", "1.0"))
    for parameter in parameters where parameter.isProtocol { all.append(parameter) }
    if let bodyHash { all.append(OAuth1Parameter("oauth_body_hash", bodyHash)) }
    all.append(OAuth1Parameter("oauth_nonce", nonce))
    all.append(OAuth1Parameter("oauth_timestamp", String(timestamp)))
    return all
  }
}

extension OAuth1Parameter {
  /// Whether it is of the protocol, and so belongs into the header (§3.5.1); `xoauth_displayname` isn't.
  var isProtocol: Bool { name.utf8.starts(with: "oauth_".utf8) }

  /// Whether it is one of those that every signed request has by itself (§3.1), so that no other may bring it along.
  var isCredential: Bool {
    [
      "oauth_consumer_key", "oauth_token", "oauth_signature_method", "oauth_version", "oauth_body_hash", "oauth_nonce", "oauth_timestamp",
      "oauth_signature",
    ].contains(name)
  }
}

// MARK: The steps of a sign-in (RFC 5849 §2)
extension OAuth1Request {
  /// Asks for temporary credentials (§2.1). Without a `callback`, `oob`: the service shows a verifier that somebody types.
  package static func temporaryCredentials(
    from endpoint: String, method: String = "POST", callback: String?, parameters: [OAuth1Parameter] = [], client: OAuth1Client,
    nonce: String, timestamp: Int64
  ) -> OAuth1Request {
    let all = [OAuth1Parameter("oauth_callback", callback ?? "oob")] + parameters
    return OAuth1Request(
      .toTokenEndpoint(endpoint, method), client: client, parameters: all, nonce: nonce, timestamp: timestamp)
  }

  /// Asks for token credentials (§2.3), by the temporary ones and the verifier that came with the callback.
  package static func tokenCredentials(
    from endpoint: String, method: String = "POST", temporary token: OAuth1Token, verifier: Secret,
    parameters: [OAuth1Parameter] = [], client: OAuth1Client, nonce: String, timestamp: Int64
  ) -> OAuth1Request {
    let all = [OAuth1Parameter("oauth_verifier", verifier.value)] + parameters
    return OAuth1Request(
      .toTokenEndpoint(endpoint, method), client: client, token: token, parameters: all, nonce: nonce, timestamp: timestamp)
  }

  /// Asks for token credentials in place of those that expired, by the handle that came with them (OAuth Session 1.0 draft 1, §4).
  package static func renewal(
    from endpoint: String, method: String = "POST", token: OAuth1Token, sessionHandle: Secret, client: OAuth1Client, nonce: String,
    timestamp: Int64
  ) -> OAuth1Request {
    OAuth1Request(
      .toTokenEndpoint(endpoint, method), client: client, token: token,
      parameters: [OAuth1Parameter("oauth_session_handle", sessionHandle.value)], nonce: nonce, timestamp: timestamp)
  }
}

extension HTTPRequest {
  /// A request without a form of its own; a POST has an empty body, so that its length is said to be 0.
  static func toTokenEndpoint(_ endpoint: String, _ method: String) -> HTTPRequest {
    var request = HTTPRequest(method: method, url: endpoint, body: method == "POST" ? .bytes([]) : .none)
    request.timeout = 30
    // Credentials take a few hundred bytes; a server that sends more than a megabyte sends something else.
    request.maxBytes = 1 << 20
    return request
  }
}
