import Jansson

/// How the short-lived access token of a sign-in is exchanged for one that lives long, which is right after it and once (Facebook, Instagram, Threads).
package struct LongLivedManner: Sendable {
  package var longLivedEndpoint: String?
  package var longLivedMethod: TokenManner.Method?
  package var longLivedAuthentication: TokenManner.ClientAuthentication?
  /// nil where the provider has no such step.
  package var longLivedGrantType: String?
  package var longLivedTokenParameter = "access_token"
  package var longLivedParameters = NamedValues<String>()

  package init() {}

  init(_ fields: inout Fields) throws(FieldError) {
    longLivedEndpoint = try fields.optional(
      "longLivedEndpoint", "Where the access token of a sign-in is exchanged for a long-lived one, if not at the token endpoint.")
    longLivedMethod = try fields.optional(
      "longLivedMethod", "The method of that exchange; that of token requests by default.")
    longLivedAuthentication = try fields.optional(
      "longLivedAuthentication", "How the client shows itself in that exchange, if not as clientAuthentication says.")
    longLivedGrantType = try fields.optional(
      "longLivedGrantType",
      "The grant_type with which the access token of a sign-in is exchanged for a long-lived one right after it; no such exchange is made "
        + "by default.")
    longLivedTokenParameter =
      try fields.optional(
        "longLivedTokenParameter", "The parameter of that exchange that carries the token; access_token by default.")
      ?? "access_token"
    longLivedParameters = try fields.optional("longLivedParameters", "Extra parameters of that exchange.") ?? .init()
    if !fields.isDescribing { try check(fields) }
  }

  private func check(_ fields: Fields) throws(FieldError) {
    try fields.check(endpoint: longLivedEndpoint, "longLivedEndpoint")
    for (member, text) in [("longLivedGrantType", longLivedGrantType), ("longLivedTokenParameter", longLivedTokenParameter)] {
      if text?.isEmpty == true { throw FieldError(fields.pointer(member), "must not be empty") }
    }
    guard longLivedGrantType == nil else { return }
    // Whoever says how an exchange is made means it to be made.
    let others = [
      ("longLivedEndpoint", longLivedEndpoint != nil), ("longLivedMethod", longLivedMethod != nil),
      ("longLivedAuthentication", longLivedAuthentication != nil), ("longLivedParameters", !longLivedParameters.pairs.isEmpty),
    ]
    for (member, isGiven) in others where isGiven { throw FieldError(fields.pointer(member), "needs a longLivedGrantType beside it") }
  }
}
