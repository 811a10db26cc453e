import Jansson

/// Where an OpenID 2.0 provider is and what it is asked for beside who the user is.
package struct OpenIDManner: Sendable {
  /// Whether a key is agreed on beforehand (OpenID Authentication 2.0, 8), or the provider is asked about each answer (11.4.2).
  package enum Association: String, FieldWord { case auto, none }

  package enum Dialect: String, FieldWord {
    case standard
    /// Without `openid.ns`, realm and identity, as Spark has it.
    case bare
  }

  package var openidEndpoint: String?
  package var openidIdentifier: String?
  package var openidRealm: String?
  package var openidRegistration: RegistrationFields?
  package var openidAttributes: AttributeTypes?
  package var openidAssociation = Association.auto
  package var openidParameters = NamedValues<String>()
  package var openidStateParameter: String?
  package var openidCodeParameter: String?
  package var openidDialect = Dialect.standard

  package init() {}

  init(_ fields: inout Fields) throws(FieldError) {
    openidEndpoint = try fields.optional("openidEndpoint", "OpenID 2.0: the OP endpoint, where it need not be discovered.")
    openidIdentifier = try fields.optional("openidIdentifier", "OpenID 2.0: the identifier that discovery begins with (7.3).")
    openidRealm = try fields.optional("openidRealm", "OpenID 2.0: the realm; that of the redirect address where nothing is said (9.2).")
    openidRegistration = try fields.optional("openidRegistration", "OpenID Simple Registration: the fields that are asked for.")
    openidAttributes = try fields.optional("openidAttributes", "OpenID Attribute Exchange: the attributes that are asked for.")
    openidAssociation =
      try fields.optional("openidAssociation", "OpenID 2.0: whether a key is agreed on beforehand (8); auto where nothing is said.")
      ?? .auto
    openidParameters = try fields.optional("openidParameters", "OpenID 2.0: extra parameters of the request.") ?? .init()
    openidStateParameter = try fields.optional(
      "openidStateParameter", "OpenID hybrid: the parameter that carries our state there and back.")
    openidCodeParameter = try fields.optional("openidCodeParameter", "OpenID hybrid: the answer's parameter that holds a code to exchange.")
    openidDialect =
      try fields.optional(
        "openidDialect", "OpenID 2.0: standard where nothing is said, or bare: requests without ns, realm and identity.") ?? .standard
    if !fields.isDescribing {
      try fields.check(endpoint: openidEndpoint, "openidEndpoint")
    }
  }

  /// Fields of Simple Registration 1.1, such as nickname and email.
  package struct RegistrationFields: FieldObject {
    package static let placeholder = RegistrationFields()

    package var required: [String] = []
    package var optional: [String] = []

    package init() {}

    package init(_ fields: inout Fields) throws(FieldError) {
      required = try fields.optional("required", "Fields without which the login is of no use.") ?? []
      optional = try fields.optional("optional", "Fields that are welcome.") ?? []
    }

    package func write(to writer: inout JSONWriter) { writer.null() }
  }

  /// Attributes of Attribute Exchange 1.0: type URIs by the alias under which they are kept.
  package struct AttributeTypes: FieldObject {
    package static let placeholder = AttributeTypes()

    package var required = NamedValues<String>()
    package var optional = NamedValues<String>()
    package var unlimited: [String] = []

    package init() {}

    package init(_ fields: inout Fields) throws(FieldError) {
      required = try fields.optional("required", "Type URIs by alias, without which the login is of no use.") ?? .init()
      optional = try fields.optional("optional", "Type URIs by alias that are welcome.") ?? .init()
      unlimited = try fields.optional("unlimited", "Aliases of which every value is asked for, not one.") ?? []
    }

    package func write(to writer: inout JSONWriter) { writer.null() }
  }
}
