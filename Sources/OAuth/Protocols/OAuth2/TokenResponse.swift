import Jansson

/// What the token endpoint gave (RFC 6749, 5.1), read leniently and judged strictly: an access token that fits into a header has to be there.
package struct TokenResponse: Sendable {
  package var accessToken: Secret
  package var refreshToken: Secret?
  package var idToken: Secret?
  /// As `Authorization` wants it; `Bearer` where the answer says nothing or says it in another case.
  package var tokenType: String
  package var expiry: TokenExpiry
  package var refreshTokenExpiry: TokenExpiry
  /// nil where the answer names no scope, which means what was asked for (RFC 6749, 5.1).
  package var scopes: [String]?
  /// Members of the answer that are kept with the account.
  package var attributes = NamedValues<String>()
  /// How the client was recognised, where that had to be tried out.
  package var clientAuthentication: TokenManner.ClientAuthentication?

  package init(_ response: HTTPResponse, _ manner: AnswerManner = .init()) throws(OAuthFailure) {
    try self.init(response, manner, hiding: .none)
  }

  /// `hidden` is what the request sent and no failure may quote.
  init(_ response: HTTPResponse, _ manner: AnswerManner, hiding hidden: Redaction) throws(OAuthFailure) {
    let answer = TokenAnswer(response, manner, hiding: hidden)
    if let failure = answer.failure { throw failure }
    do throws(OAuthFailure) {
      try self.init(answer, manner)
    } catch {
      var failure = error
      failure.rotatedRefreshToken = Self.refreshToken(answer)
      throw failure
    }
  }

  private init(_ answer: TokenAnswer, _ manner: AnswerManner) throws(OAuthFailure) {
    guard let token = answer["access_token"]?.string, !token.isEmpty else {
      throw answer.missing("access token", of: "token")
    }
    guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw .untrusted("the access token has characters that no header can carry")
    }
    accessToken = Secret(token)
    refreshToken = Self.refreshToken(answer)
    // An empty one is how some servers write that there is none.
    idToken = answer["id_token"]?.string.flatMap { $0.isEmpty ? nil : Secret($0) }
    guard let type = Self.scheme(answer["token_type"]?.string, manner) else {
      throw .untrusted("the token type is no name of an authentication scheme")
    }
    guard !Self.proven.contains(type.lowercased()) else {
      throw .unsupported("the provider gave a token of the type \(type), which needs a proof with every call, and that is not supported")
    }
    tokenType = type
    expiry = TokenExpiry(answer["expires_in"], manner, usually: manner.expiresDefault)
    refreshTokenExpiry = TokenExpiry(answer["refresh_token_expires_in"] ?? answer["refresh_expires_in"], manner, usually: nil)
    scopes = Self.scopes(answer["scope"])
    attributes = answer.attributes
  }

  private static func refreshToken(_ answer: TokenAnswer) -> Secret? {
    answer["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : Secret($0) }
  }

  /// Types of tokens that say nothing without a proof of the key that they are bound to (RFC 9449, 7.1; the draft of MAC tokens), so that a token of theirs
  /// must not be used alone (RFC 6749, 7.1).
  private static let proven: Set = ["dpop", "mac", "pop"]

  /// How a token is presented whose answer says `told`: it becomes the scheme of a header (RFC 9110, 11.4), so a blank or a line end in it would
  /// change what is sent; then it is nil.
  static func scheme(_ told: String?, _ manner: AnswerManner) -> String? {
    var type = manner.tokenType ?? told ?? ""
    if type.isEmpty { type = manner.tokenTypeDefault ?? "Bearer" }
    guard type.utf8.count <= 64, type.utf8.allSatisfy({ isASCIILetterOrDigit($0) || "-._~+".utf8.contains($0) }) else { return nil }
    return type.lowercased() == "bearer" ? "Bearer" : type
  }

  /// A list of scopes however a server writes one: with blanks, with commas, or as an array. What RFC 6749 (3.3) would not have in a scope is none.
  static func scopes(_ json: JSON?) -> [String]? {
    let found: [String]
    switch json {
    case .string(let text)?: found = text.split { $0 == " " || $0 == "," || $0 == "\n" || $0 == "\t" }.map(String.init)
    case .array(let values)?: found = values.compactMap(\.string)
    default: return nil
    }
    return found.filter { scope in
      !scope.isEmpty && scope.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
  }
}
