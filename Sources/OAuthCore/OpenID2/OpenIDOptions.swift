import Jansson

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

  mutating func read(_ fields: inout ObjectReader) throws(FieldError) {
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
    for (member, name) in [
      ("openidClientParameter", openidClientParameter), ("openidStateParameter", openidStateParameter),
      ("openidCodeParameter", openidCodeParameter),
    ] where name?.utf8.starts(with: "openid.".utf8) == false { throw FieldError(fields.pointer(member), "must begin with openid.") }
  }
}
