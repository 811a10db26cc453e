import Jansson

/// The authentication request that the user's browser carries to the provider (OpenID Authentication 2.0, section 9.1).
package struct OpenIDAuthenticationRequest: Sendable {
  /// How much of the specification a provider supports.
  package enum Dialect: String, StringEnum {
    package static let schemaName: String? = "OpenIDDialect"

    case standard, bare

    package var documentation: String {
      switch self {
      case .standard: "The request follows the specification."
      case .bare: "The request has no namespaces, realm and identity."
      }
    }
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

/// Where an OpenID 2.0 provider is, which attributes to request, and how it deviates.
package struct OpenIDOptions: Sendable {
  package var openidEndpoint: String?
  package var openidClaimedIds: String?
  package var openidAttributes = AttributeExchange()
  package var openidParameters = NamedValues<String>()
  package var openidClientParameter: String?
  package var openidStateParameter: String?
  package var openidCodeParameter: String?
  package var openidDialect = OpenIDAuthenticationRequest.Dialect.standard

  package init() {}

  init(_ fields: inout ObjectReader) throws(FieldError) {
    openidEndpoint = try fields.endpoint("openidEndpoint", "OpenID 2.0: the provider's endpoint. The process discovers none.")
    openidClaimedIds = try fields.endpoint(
      "openidClaimedIds",
      "OpenID 2.0: the start of the provider's own claimed identifiers, which one plain segment must follow. The dialect "
        + "`standard` needs it, because the process looks up no identifier (11.2).")
    openidAttributes = try fields.optional("openidAttributes", "OpenID Attribute Exchange 1.0: the requested attributes.") ?? .init()
    openidParameters = try fields.optional("openidParameters", default: .init(), "OpenID 2.0: extra parameters of the request.")
    openidClientParameter = try fields.optional(
      "openidClientParameter", "OpenID with OAuth: the parameter with the client's ID. Its name starts with `openid.`.")
    openidStateParameter = try fields.optional(
      "openidStateParameter",
      "OpenID with OAuth: the parameter with the process's `state` in the request and in the response. Without it, `return_to` "
        + "carries the state.")
    openidCodeParameter = try fields.optional("openidCodeParameter", "OpenID with OAuth: the response's parameter with a code to exchange.")
    openidDialect = try fields.optional("openidDialect", default: .standard, "OpenID 2.0: the form of the request.")
    guard !fields.isDescribing else { return }
    for (member, name) in [
      ("openidClientParameter", openidClientParameter), ("openidStateParameter", openidStateParameter),
      ("openidCodeParameter", openidCodeParameter),
    ] where name?.utf8.starts(with: "openid.".utf8) == false { throw FieldError(fields.pointer(member), "must begin with openid.") }
  }
}

/// Attributes of a user by type URI (OpenID Attribute Exchange 1.0, section 5: fetch).
package struct AttributeExchange: FieldObject {
  /// Types by alias. The same aliases name their values later.
  package var required = NamedValues<String>()

  package init(required: [(name: String, value: String)] = []) { self.required = NamedValues(required) }

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    required = try fields.optional("required", default: .init(), "The types of the attributes by alias.")
    for (alias, type) in required.pairs {
      let pointer = ObjectReader.pointer(to: alias, in: fields.pointer("required"))
      // A dot would create further fields (2.1 of the extension), a comma two aliases.
      guard !alias.isEmpty, alias.utf8.allSatisfy({ isASCIILetterOrDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") })
      else { throw FieldError(pointer, "has an alias with other characters than letters, digits, _ and -") }
      if (try? URLParts(type)) == nil { throw FieldError(pointer, "must be the type's URI") }
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("required")
    required.write(to: &writer)
    writer.endObject()
  }

  /// Returns the fields of the request (5.1). The bare dialect has no namespaces.
  package func fields(declaring: Bool) -> [(name: String, value: String)] {
    guard !required.pairs.isEmpty else { return [] }
    return (declaring ? [("ns.ax", OpenIDMessage.attributeExchange)] : []) + [("ax.mode", "fetch_request")]
      + required.pairs.map { ("ax.type.\($0.name)", $0.value) } + [("ax.required", required.pairs.map(\.name).joined(separator: ","))]
  }

  /// Returns the signed values of the response (5.2) under our aliases, one of each type.
  ///
  /// Reads a single value with or without a count. The provider may use its own aliases, which are matched by type. In the bare dialect it may omit
  /// the types.
  package func values(in signed: OpenIDMessage) -> [(name: String, value: String)] {
    guard let space = signed.alias(of: OpenIDMessage.attributeExchange) ?? (signed["ns.ax"] == nil ? "ax" : nil) else { return [] }
    return required.pairs.compactMap { alias, type in
      let prefix = "\(space).type."
      let theirs = signed.fields.first { $0.value == type && $0.name.hasPrefix(prefix) }.map { String($0.name.dropFirst(prefix.count)) }
      guard let theirs = theirs ?? (signed["\(space).type.\(alias)"] == nil ? alias : nil) else { return nil }
      return (signed["\(space).value.\(theirs)"] ?? signed["\(space).value.\(theirs).1"]).map { (alias, $0) }
    }
  }
}
