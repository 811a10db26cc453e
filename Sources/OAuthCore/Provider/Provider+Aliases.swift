import Jansson

/// The endpoints for clients with a certificate (RFC 8705, 5).
extension Provider {
  /// The endpoints that may have an alias for clients with a certificate, and the names in a server's metadata.
  static var aliased: [(metadata: String, member: String, place: KeyPath<Provider, String?>)] {
    [
      ("token_endpoint", "tokenEndpoint", \.tokenEndpoint), ("revocation_endpoint", "revocationEndpoint", \.revocation.revocationEndpoint),
      ("introspection_endpoint", "introspectionEndpoint", \.introspectionEndpoint),
      ("pushed_authorization_request_endpoint", "pushedAuthorizationRequestEndpoint", \.pushedAuthorizationRequestEndpoint),
      ("device_authorization_endpoint", "deviceAuthorizationEndpoint", \.deviceAuthorizationEndpoint),
      ("userinfo_endpoint", "userInfoEndpoint", \.userInfoEndpoint),
    ]
  }

  /// Returns the endpoint that the client uses in the place of this one.
  package func endpoint(_ endpoint: String, for client: Client) -> String {
    guard client.certificate != nil, let member = Self.aliased.first(where: { self[keyPath: $0.place] == endpoint })?.member else {
      return endpoint
    }
    return mtlsEndpoints[member] ?? endpoint
  }

  /// Returns the URL of the endpoint as the audience of an assertion. What goes to an alias at another origin must not be valid at this one.
  package func audience(at endpoint: String?, for client: Client) -> String? {
    guard let endpoint else { return nil }
    let alias = self.endpoint(endpoint, for: client)
    return Self.origin(alias) == Self.origin(endpoint) ? endpoint : alias
  }

  func checkAliases(_ fields: ObjectReader) throws(FieldError) {
    for (member, endpoint) in mtlsEndpoints.pairs {
      let place = ObjectReader.pointer(to: member, in: fields.pointer("mtlsEndpoints"))
      guard Self.aliased.contains(where: { $0.member == member }) else {
        throw FieldError(place, "must be one of \(Self.aliased.map(\.member).joined(separator: ", "))")
      }
      if let problem = Self.problem(ofEndpoint: Template(endpoint).sampleURL) { throw FieldError(place, problem) }
    }
  }
}
