import Jansson

/// Who asks: the client as it is registered with the provider (RFC 6749, 2).
package struct Client: Sendable, Equatable {
  package var id: String
  package var secret: Secret?

  package init(id: String, secret: Secret? = nil) {
    self.id = id
    self.secret = secret
  }

  /// Puts the client's credentials into a request in one way, never two (RFC 6749, 2.3), under the provider's names for them.
  func authenticate(
    _ fields: inout [(String, String)], _ headers: inout [HTTPHeader], _ way: TokenManner.ClientAuthentication?,
    _ manner: AuthorizationManner = .init()
  ) {
    switch (way ?? .basic, secret) {
    case (.basicAlways, _), (.basic, _?), (.probe, _?): headers.append(basicHeader)
    case (.body, let secret?): fields += manner.renamed([("client_id", id), ("client_secret", secret.value)])
    case (_, nil), (.none, _): fields += manner.renamed([("client_id", id)])
    }
  }

  /// HTTP Basic with both parts form-encoded first (RFC 6749, 2.3.1), which odd characters need and half of all clients forget.
  var basicHeader: HTTPHeader {
    let pair = FormEncoding.encode(id) + ":" + FormEncoding.encode(secret?.value ?? "")
    return HTTPHeader("Authorization", "Basic " + Base64.encode(Array(pair.utf8)))
  }
}
