/// The client as it is registered with the provider (RFC 6749, 2).
package struct Client: Sendable, Equatable {
  package var id: String
  package var secret: Secret?

  package init(id: String, secret: Secret? = nil) {
    self.id = id
    self.secret = secret
  }

  /// Puts the client's credentials into a request, under the provider's parameter names. Uses one method per request (RFC 6749, 2.3).
  package func authenticate(
    _ fields: inout [(String, String)], _ headers: inout [HTTPHeader], _ way: TokenOptions.ClientAuthentication,
    _ options: AuthorizationOptions = .init()
  ) {
    switch (way, secret) {
    case (.basicAlways, _), (.basic, _?), (.probe, _?): headers.append(basicHeader)
    case (.body, let secret?): fields += options.renamed([("client_id", id), ("client_secret", secret.value)])
    case (_, nil), (.none, _): fields += options.renamed([("client_id", id)])
    }
  }

  /// HTTP Basic credentials. Both parts are form-encoded first (RFC 6749, 2.3.1), which matters for special characters and which many clients omit.
  var basicHeader: HTTPHeader {
    let pair = FormEncoding.encode(id) + ":" + FormEncoding.encode(secret?.value ?? "")
    return HTTPHeader("Authorization", "Basic " + Base64.encode(Array(pair.utf8)))
  }
}
