import Jansson

/// How token responses deviate (RFC 6749, 5.1 and 5.2).
package struct TokenResponseOptions: Sendable {
  /// What 0 means in `expires_in`.
  package enum ExpiresZero: String, DescribedEnum {
    case never, expired
  }

  package var tokenPath: DottedPath?
  package var memberNames = NamedValues<DottedPath>()
  package var tokenType: String?
  package var tokenTypeDefault = "Bearer"
  package var expiresZero = ExpiresZero.never
  package var expiresDefault: Int?
  package var tokenErrors: ErrorPlaces?
  package var tokenMembers: [DottedPath] = []

  package init() {}

  mutating func read(_ fields: inout ObjectReader) throws(FieldError) {
    tokenPath = try fields.optional("tokenPath", "The dotted path of the object with the token members, such as `data` or `authed_user`.")
    memberNames = try fields.optional(
      "memberNames", default: .init(), "The dotted paths of standard members in token responses, from the top of the response.")
    tokenType = try fields.optional("tokenType", "The access token's type. It overrides the response's `token_type`.")
    tokenTypeDefault = try fields.optional(
      "tokenTypeDefault", default: "Bearer", "The access token's type if the response has no `token_type`.")
    expiresZero = try fields.optional(
      "expiresZero", default: .never,
      "The meaning of 0 in `expires_in`. If a response has no `expires_in`, the process reads `expires_at`.")
    expiresDefault = try fields.optional(
      "expiresDefault", in: 1...3_155_760_000, "The lifetime of an access token in seconds, if the response does not name it.")
    tokenErrors = try fields.optional(
      "tokenErrors", "The places of errors in token responses, including responses with status 200. Without it, RFC 6749, 5.2 applies.")
    tokenMembers = try fields.optional(
      "tokenMembers", default: [],
      "The dotted paths of members of token responses that the process stores with the account. `apiBase` and `apiHeaders` "
        + "may contain them as {name}, by the last part of their path.")
    for (member, type) in [("tokenType", tokenType), ("tokenTypeDefault", tokenTypeDefault)] {
      guard let type, !HTTPRequest.isToken(type) else { continue }
      throw FieldError(fields.pointer(member), "must be the name of an authentication scheme")
    }
  }
}

extension TokenResponseOptions {
  /// Where a service's responses have its own errors.
  package struct ErrorPlaces: FieldObject {
    package var success: DottedPath?
    package var code: DottedPath?
    package var message: DottedPath?
    package var refused: [String] = []

    package init(_ fields: inout ObjectReader) throws(FieldError) {
      success = try fields.optional(
        "success",
        "The dotted path of a member that shows an error even if the status is 200. The value is then `false`, or a string "
          + "other than `ok` and `success`.")
      code = try fields.optional("code", "The dotted path of the error's code. The values 0, \"\" and null mean that there is no error.")
      message = try fields.optional("message", "The dotted path of the error's text.")
      refused = try fields.optional(
        "refused", default: [],
        "Codes that end the login with any status, such as 200, with which `invalid_grant` ends it, too. Other errors end it with status 400, 401 "
          + "or 403 if they are about neither the server nor the client. The status is the code of a response without a body.")
    }
  }
}
