import Jansson

/// The authentication request that the user's browser carries to the provider (OpenID Authentication 2.0, section 9.1).
package struct OpenIDAuthenticationRequest: Sendable {
  /// How much of the specification a provider supports.
  package enum Dialect: String, DescribedEnum {
    package static let schemaName: String? = "OpenIDDialect"

    case standard, bare
  }

  package var endpoint: String
  package var dialect = Dialect.standard
  /// The URL for the response. Its query contains our `state` if the provider does not return one.
  package var returnTo: String
  /// The URL prefix that the user is asked to trust: `return_to` without our `state` (9.2).
  package var realm: String?
  /// Parameters that identify the client, next to the mode.
  package var client: [(name: String, value: String)] = []
  package var attributes = AttributeExchange()
  package var parameters: [(name: String, value: String)] = []

  package init(endpoint: String, returnTo: String) { (self.endpoint, self.returnTo) = (endpoint, returnTo) }

  /// The URL of the provider's page; nil when the endpoint is not a URL. Extra parameters come last and never replace the standard ones.
  package var url: String? {
    guard let page = try? URLParts(endpoint) else { return nil }
    var query = client
    var fields: [(name: String, value: String)] = []
    let declares = dialect == .standard
    switch dialect {
    case .bare:
      query.insert(("openid.mode", "checkid_setup"), at: 0)
      fields = [("return_to", returnTo)]
    case .standard:
      query += [("openid.ns", OpenIDMessage.namespace), ("openid.mode", "checkid_setup")]
      // The user selects an identity on the provider's page (9.1).
      fields = [("claimed_id", OpenIDMessage.identifierSelect), ("identity", OpenIDMessage.identifierSelect)]
      fields += [("return_to", returnTo), ("realm", realm ?? returnTo)]
    }
    fields += attributes.fields(declaring: declares)
    query += fields.map { ("openid." + $0.name, $0.value) }
    query += parameters.filter { extra in !query.contains { $0.name == extra.name } }
    return page.appendingQuery(query.map { ($0.name, $0.value) }).description
  }
}
