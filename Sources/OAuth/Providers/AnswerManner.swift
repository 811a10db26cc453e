import Jansson

/// How the token endpoint's answers deviate (RFC 6749, 5.1 and 5.2).
package struct AnswerManner: Sendable {
  package enum Format: String, FieldWord { case auto, json, form }
  package enum ExpiresUnit: String, FieldWord { case seconds, milliseconds, absolute }
  package enum ExpiresZero: String, FieldWord { case never, expired }

  package var answerFormat = Format.auto
  package var tokenPath: DottedPath?
  package var memberNames = NamedValues<DottedPath>()
  package var tokenType: String?
  package var tokenTypeDefault: String?
  package var expiresUnit = ExpiresUnit.seconds
  package var expiresZero = ExpiresZero.never
  package var expiresDefault: Int?
  package var tokenErrors: ErrorPlaces?
  package var tokenMembers: [DottedPath] = []

  package init() {}

  init(_ fields: inout Fields) throws(FieldError) {
    answerFormat =
      try fields.optional("answerFormat", "How token answers are written: json, form, or by default what they look like.")
      ?? .auto
    tokenPath = try fields.optional("tokenPath", "The dotted path of the object that holds the token members, such as data or authed_user.")
    memberNames =
      try fields.optional(
        "memberNames", "Where standard members of token answers stand, as dotted paths from the top of the answer.") ?? .init()
    tokenType = try fields.optional("tokenType", "How the access token is presented, whatever the answer says.")
    tokenTypeDefault = try fields.optional("tokenTypeDefault", "How it is presented where the answer says nothing; Bearer without this.")
    expiresUnit =
      try fields.optional(
        "expiresUnit", "What expires_in counts: seconds by default, milliseconds, or absolute Unix seconds.") ?? .seconds
    expiresZero =
      try fields.optional("expiresZero", "What 0 says: never ends, the default, or has expired already.") ?? .never
    expiresDefault = try fields.optional(
      "expiresDefault", in: 1...3_155_760_000, "Seconds that an access token lives where the answer does not say.")
    tokenErrors = try fields.optional("tokenErrors", "Where errors stand, those inside a 200 included, if not as RFC 6749, 5.2 has them.")
    tokenMembers =
      try fields.optional(
        "tokenMembers",
        "Dotted paths of members of token answers that are kept with the account, usable by their last part as {name} in apiBase and apiHeaders."
      ) ?? []
    if !fields.isDescribing { try check(fields) }
  }

  private func check(_ fields: Fields) throws(FieldError) {
    for (member, type) in [("tokenType", tokenType), ("tokenTypeDefault", tokenTypeDefault)] {
      guard let type, !HTTPRequest.isToken(type) else { continue }
      throw FieldError(fields.pointer(member), "has to be the name of an authentication scheme")
    }
  }
}

extension AnswerManner {
  /// What is kept of an answer with the account.
  func attributes(of answer: JSON) -> NamedValues<String> {
    NamedValues(tokenMembers.compactMap { path in path.value(in: answer)?.attributeText.map { (path.name, $0) } })
  }
}

/// Where a service's own errors stand in its answers.
package struct ErrorPlaces: FieldObject {
  package static let placeholder = ErrorPlaces()

  package var success: DottedPath?
  package var code: DottedPath?
  package var message: DottedPath?
  package var refused: [String] = []

  package init() {}

  package init(_ fields: inout Fields) throws(FieldError) {
    success = try fields.optional(
      "success", "The dotted path of what is false, or a string other than ok and success, in a failure even if its status is 200.")
    code = try fields.optional("code", "The dotted path of the error's code; none is there where it is 0, empty or null.")
    message = try fields.optional("message", "The dotted path of the error's text.")
    refused =
      try fields.optional(
        "refused",
        "Codes that reject the refresh token, beside invalid_grant with a status below 500. A listed code does so with any status; "
          + "the code of an answer without a body is its status.") ?? []
  }

  package func write(to writer: inout JSONWriter) { writer.null() }
}
