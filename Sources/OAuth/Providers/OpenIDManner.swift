import Jansson

/// Where an OpenID 2.0 provider is, what it is asked for beside who the user is, and how it deviates.
package struct OpenIDManner: Sendable {
  /// Whether an answer has to be signed by the provider (OpenID Authentication 2.0, 11.4).
  package enum Signature: String, FieldWord {
    case required
    /// An answer without a signature is believed as well: only the state then proves that it belongs to this sign-in.
    case optional
  }

  package var openidEndpoint: String?
  package var openidIdentifier: String?
  package var openidClaimedIds: String?
  package var openidRealm: String?
  package var openidRegistration = SimpleRegistration()
  package var openidAttributes = AttributeExchange()
  package var openidParameters = NamedValues<String>()
  package var openidClientParameter: String?
  package var openidStateParameter: String?
  package var openidCodeParameter: String?
  package var openidSignature = Signature.required
  package var openidDialect = OpenIDAuthenticationRequest.Dialect.standard

  package init() {}

  init(_ fields: inout Fields) throws(FieldError) {
    openidEndpoint = try fields.optional("openidEndpoint", "OpenID 2.0: the OP endpoint, where it need not be discovered.")
    openidIdentifier = try fields.optional(
      "openidIdentifier", "OpenID 2.0: the user's or the provider's identifier, which discovery begins with (7.3).")
    openidClaimedIds = try fields.optional(
      "openidClaimedIds",
      "OpenID 2.0: what the provider's own claimed identifiers begin with, one plain segment following; they are not looked up then (11.2)."
    )
    openidRealm = try fields.optional("openidRealm", "OpenID 2.0: the realm; the redirect address by default (9.2).")
    openidRegistration =
      try fields.optional("openidRegistration", "OpenID Simple Registration 1.1: the fields that are asked for.") ?? .init()
    openidAttributes =
      try fields.optional("openidAttributes", "OpenID Attribute Exchange 1.0: the attributes that are asked for.") ?? .init()
    openidParameters = try fields.optional("openidParameters", "OpenID 2.0: extra parameters of the request.") ?? .init()
    openidClientParameter = try fields.optional("openidClientParameter", "OpenID hybrid: the parameter that names the client.")
    openidStateParameter = try fields.optional(
      "openidStateParameter", "OpenID hybrid: the parameter that carries our state there and back; without it return_to does.")
    openidCodeParameter = try fields.optional("openidCodeParameter", "OpenID hybrid: the answer's parameter that holds a code to exchange.")
    openidSignature =
      try fields.optional(
        "openidSignature",
        "OpenID 2.0: required by default. optional accepts an answer that the provider did not sign; the state is then its only proof.")
      ?? .required
    openidDialect =
      try fields.optional(
        "openidDialect", "OpenID 2.0: standard by default, or bare: requests without ns, realm and identity.") ?? .standard
    if !fields.isDescribing { try check(fields) }
  }

  private func check(_ fields: Fields) throws(FieldError) {
    try fields.check(endpoint: openidEndpoint, "openidEndpoint")
    try fields.check(endpoint: openidClaimedIds, "openidClaimedIds")
    if openidEndpoint != nil, openidIdentifier != nil {
      throw FieldError(fields.pointer("openidIdentifier"), "is to be looked up, and the endpoint is given already")
    }
    for (member, name) in [
      ("openidClientParameter", openidClientParameter), ("openidStateParameter", openidStateParameter),
      ("openidCodeParameter", openidCodeParameter),
    ] where name?.utf8.starts(with: "openid.".utf8) == false {
      throw FieldError(fields.pointer(member), "has to begin with openid.")
    }
  }
}
