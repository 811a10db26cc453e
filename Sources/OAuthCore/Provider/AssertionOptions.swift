import Jansson

/// What the client's assertions say (RFC 7523, 3).
package struct AssertionOptions: Sendable {
  package enum Kind: String, StringEnum {
    package static let schemaName: String? = "AssertionType"

    case clientAuthentication = "client-authentication+jwt"
    case jwt = "JWT"
  }

  /// Where the assertion of a JWT bearer grant goes.
  package enum Placement: String, DescribedEnum {
    package static let schemaName: String? = "AssertionPlacement"

    case body, header
  }

  /// `issuer`, `tokenEndpoint` or a URI.
  package var assertionAudience = "issuer"
  package var assertionType = Kind.clientAuthentication
  package var assertionPlacement = Placement.body

  mutating func read(_ fields: inout ObjectReader) throws(FieldError) {
    assertionAudience = try fields.optional(
      "assertionAudience", default: "issuer",
      "The audience of the client's assertions: `issuer`, `tokenEndpoint`, or a URI. `tokenEndpoint` stands for the URL that a request goes "
        + "to: the token endpoint for tokens, and for example the revocation endpoint for a revocation.")
    assertionType = try fields.optional("assertionType", default: .clientAuthentication, "The header `typ` of the client's assertions.")
    assertionPlacement = try fields.optional(
      "assertionPlacement", default: .body, "The place of the assertion in a token request with the flow `jwtBearer`.")
    guard !["issuer", "tokenEndpoint"].contains(assertionAudience), !assertionAudience.contains(":") else { return }
    throw FieldError(fields.pointer("assertionAudience"), "must be issuer, tokenEndpoint or a URI")
  }
}
