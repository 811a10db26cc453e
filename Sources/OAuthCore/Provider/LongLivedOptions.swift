import Jansson

/// How a sign-in's short-lived access token is exchanged for a long-lived one, once, right after the sign-in (Facebook, Instagram, Threads).
package struct LongLivedOptions: Sendable {
  package var longLivedEndpoint: String?
  package var longLivedMethod: TokenOptions.Method?
  /// nil if the provider has no such exchange.
  package var longLivedGrantType: String?
  package var longLivedTokenParameter = "access_token"

  mutating func read(_ fields: inout ObjectReader) throws(FieldError) {
    longLivedEndpoint = try fields.endpoint(
      "longLivedEndpoint", "The URL that exchanges the access token of a sign-in for a long-lived one. Without it, the token endpoint does."
    )
    longLivedMethod = try fields.optional("longLivedMethod", "The HTTP method of the exchange. Without it, `tokenMethod` applies.")
    longLivedGrantType = try fields.optional(
      "longLivedGrantType",
      "The `grant_type` with which the process exchanges the access token of a sign-in for a long-lived one. Without it, "
        + "there is no such exchange.")
    longLivedTokenParameter = try fields.optional(
      "longLivedTokenParameter", default: "access_token", "The parameter of the exchange with the token.")
    for (member, text) in [("longLivedGrantType", longLivedGrantType), ("longLivedTokenParameter", longLivedTokenParameter)] {
      if text?.isEmpty == true { throw FieldError(fields.pointer(member), "must not be empty") }
    }
    guard longLivedGrantType == nil else { return }
    // Without a grant type there is no exchange, so the other members would have no effect.
    let others = [("longLivedEndpoint", longLivedEndpoint != nil), ("longLivedMethod", longLivedMethod != nil)]
    for (member, isGiven) in others where isGiven { throw FieldError(fields.pointer(member), "needs a longLivedGrantType") }
  }
}
