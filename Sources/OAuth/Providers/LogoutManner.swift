import Jansson

/// How the provider's own session in a browser ends (OpenID Connect RP-Initiated Logout 1.0, 2).
package struct LogoutManner: Sendable {
  package var endSessionEndpoint: String?
  package var endSessionParameters = Self.usual

  /// Who asks and who leaves. No ID token, though the specification recommends one: it says a lot of somebody, and the page's URL is shown and logged.
  private static let usual = NamedValues<String>([("client_id", "{clientId}"), ("logout_hint", "{email}")])
  private static let names = ["clientId", "email", "subject", "idToken"]

  package init() {}

  init(_ fields: inout Fields) throws(FieldError) {
    endSessionEndpoint = try fields.optional(
      "endSessionEndpoint",
      "The page that ends the provider's own session in a browser (OpenID Connect RP-Initiated Logout 1.0); signOut and revoke name it, "
        + "and whoever wants it opens it.")
    endSessionParameters =
      try fields.optional(
        "endSessionParameters",
        "The parameters of that page, with {clientId}, {email}, {subject} or {idToken} where need be; client_id and logout_hint, the email, "
          + "where nothing is said. One whose value is not known is left out.") ?? Self.usual
    if !fields.isDescribing { try check(fields) }
  }

  private func check(_ fields: Fields) throws(FieldError) {
    try fields.check(endpoint: endSessionEndpoint, "endSessionEndpoint")
    for (name, value) in endSessionParameters.pairs where !Template(value).names.allSatisfy(Self.names.contains) {
      throw FieldError(
        Fields.pointer(to: name, in: fields.pointer("endSessionParameters")), "may have {clientId}, {email}, {subject} and {idToken} alone")
    }
  }
}

extension Grant {
  /// The page that ends the provider's own session of this account in a browser; nil where the provider has none, or wants an ID token and none came.
  func logoutURL(_ provider: Provider) -> String? {
    let manner = provider.logout
    guard let endpoint = manner.endSessionEndpoint, Template(endpoint).names.isEmpty, let url = try? URLParts(endpoint) else { return nil }
    let values = ["clientId": client.id, "email": email, "subject": subject, "idToken": idToken?.value]
    var parameters: [(String, String)] = []
    for (name, text) in manner.endSessionParameters.pairs {
      let missing = Template(text).names.filter { (values[$0] ?? nil)?.isEmpty ?? true }
      // Without the proof that it wants, the page would only show an error.
      if missing.contains("idToken") { return nil }
      if missing.isEmpty { parameters.append((name, Template(text).filled { values[$0] ?? nil })) }
    }
    return parameters.isEmpty ? url.description : url.appendingQuery(parameters).description
  }
}
