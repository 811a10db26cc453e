import Jansson

/// How to end the provider's own browser session (OpenID Connect RP-Initiated Logout 1.0, 2).
package struct LogoutOptions: Sendable {
  package var endSessionEndpoint: String?
  package var endSessionParameters = Self.usual

  /// The client and the user. The ID token is never sent, although the specification recommends it and some providers require it: clients show and
  /// log this URL.
  private static let usual = NamedValues<String>([("client_id", "{clientId}"), ("logout_hint", "{email}")])
  private static let names = ["clientId", "email", "subject"]

  package init() {}

  init(_ fields: inout ObjectReader) throws(FieldError) {
    endSessionEndpoint = try fields.endpoint(
      "endSessionEndpoint",
      "The page that ends the provider's session in the browser (OpenID Connect RP-Initiated Logout 1.0). `signOut` and "
        + "`revoke` return it for the client to open.")
    endSessionParameters = try fields.optional(
      "endSessionParameters", default: Self.usual,
      "The parameters of the logout page. They may contain {clientId}, {email} and {subject}. The process leaves out a "
        + "parameter whose value is unknown.")
    guard !fields.isDescribing else { return }
    for (name, value) in endSessionParameters.pairs where !Template(value).names.allSatisfy(Self.names.contains) {
      throw FieldError(
        ObjectReader.pointer(to: name, in: fields.pointer("endSessionParameters")), "may contain only {clientId}, {email} and {subject}")
    }
  }
}
