import Jansson

/// The endpoints for clients with a certificate (RFC 8705, 5).
extension Provider {
  /// Returns the endpoint that the client uses in the place of this one.
  package func endpoint(_ endpoint: String, for client: Client) -> String {
    let found = client.certificate == nil ? nil : Endpoint.all.first { $0.hasAlias && self[keyPath: $0.place] == endpoint }
    return found.flatMap { mtlsEndpoints[$0.member] } ?? endpoint
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
      let allowed = Endpoint.all.filter(\.hasAlias).map(\.member)
      guard allowed.contains(member) else { throw FieldError(place, "must be one of \(allowed.joined(separator: ", "))") }
      if let problem = Self.problem(ofEndpoint: Template(endpoint).sampleURL) { throw FieldError(place, problem) }
    }
  }
}
