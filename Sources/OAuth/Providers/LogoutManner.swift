import Jansson

/// How the provider's own session in a browser ends (OpenID Connect RP-Initiated Logout 1.0, 2).
package struct LogoutManner: Sendable {
  package var endSessionEndpoint: String?
  package var endSessionParameters = Self.usual

  /// Who asks and who leaves. Never an ID token, though the specification recommends one and some providers insist: the page's URL is an answer's, and
  /// clients show and log those.
  private static let usual = NamedValues<String>([("client_id", "{clientId}"), ("logout_hint", "{email}")])
  private static let names = ["clientId", "email", "subject"]

  package init() {}

  init(_ fields: inout Fields) throws(FieldError) {
    endSessionEndpoint = try fields.optional(
      "endSessionEndpoint",
      "The page that ends the provider's own session in a browser (OpenID Connect RP-Initiated Logout 1.0); signOut and revoke name it, "
        + "and whoever wants it opens it.")
    endSessionParameters =
      try fields.optional(
        "endSessionParameters",
        "The parameters of that page, with {clientId}, {email} or {subject} where need be; client_id and logout_hint, the email, where "
          + "nothing is said. One whose value is not known is left out.") ?? Self.usual
    if !fields.isDescribing { try check(fields) }
  }

  private func check(_ fields: Fields) throws(FieldError) {
    try fields.check(endpoint: endSessionEndpoint, "endSessionEndpoint")
    for (name, value) in endSessionParameters.pairs where !Template(value).names.allSatisfy(Self.names.contains) {
      throw FieldError(
        Fields.pointer(to: name, in: fields.pointer("endSessionParameters")), "may have {clientId}, {email} and {subject} alone")
    }
  }
}

extension Grant {
  /// The page that ends the provider's own session of this account in a browser; nil where the provider has none.
  func logoutURL(_ provider: Provider) -> String? {
    let manner = provider.logout
    guard let endpoint = manner.endSessionEndpoint, Template(endpoint).names.isEmpty, let url = try? URLParts(endpoint) else { return nil }
    let values = ["clientId": client.id, "email": email, "subject": subject]
    var parameters: [(String, String)] = []
    for (name, text) in manner.endSessionParameters.pairs {
      let missing = Template(text).names.filter { (values[$0] ?? nil)?.isEmpty ?? true }
      if missing.isEmpty { parameters.append((name, Template(text).filled { values[$0] ?? nil })) }
    }
    return parameters.isEmpty ? url.description : url.appendingQuery(parameters).description
  }
}
