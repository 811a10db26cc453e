import Jansson

/// Who asks: the client as it is registered with the provider (RFC 6749, 2).
package struct Client: Sendable, Equatable {
  package var id: String
  package var secret: Secret?

  package init(id: String, secret: Secret? = nil) {
    self.id = id
    self.secret = secret
  }

  /// Puts the client's credentials into a request in one way, never two (RFC 6749, 2.3).
  func authenticate(_ form: inout [(String, String)], _ headers: inout [HTTPHeader], _ way: TokenManner.ClientAuthentication?) {
    guard let secret, way != TokenManner.ClientAuthentication.none else {
      form.append(("client_id", id))
      return
    }
    switch way ?? .basic {
    case .basic, .basicAlways, .probe: headers.append(basicHeader)
    case .body, .none: form += [("client_id", id), ("client_secret", secret.value)]
    }
  }

  /// HTTP Basic with both parts form-encoded first (RFC 6749, 2.3.1), which odd characters need and half of all clients forget.
  var basicHeader: HTTPHeader {
    let pair = FormEncoding.encode(id) + ":" + FormEncoding.encode(secret?.value ?? "")
    return HTTPHeader("Authorization", "Basic " + Base64.encode(Array(pair.utf8)))
  }
}
