import Jansson

/// What the token endpoint gave (RFC 6749, 5.1), read leniently and judged strictly: an access token that fits into a header has to be there.
package struct TokenResponse: Sendable {
  package var accessToken: Secret
  package var refreshToken: Secret?
  package var idToken: Secret?
  /// As `Authorization` wants it; `Bearer` where the answer says nothing or says it in another case.
  package var tokenType: String
  /// Seconds from the moment of the answer.
  package var expiresIn: Int?
  package var refreshTokenExpiresIn: Int?
  /// nil where the answer names no scope, which means what was asked for (RFC 6749, 5.1).
  package var scopes: [String]?

  package init(_ response: HTTPResponse) throws(OAuthFailure) { try self.init(response, hiding: .none) }

  /// `hidden` is what the request sent and no failure may quote.
  init(_ response: HTTPResponse, hiding hidden: Redaction) throws(OAuthFailure) {
    let answer = TokenAnswer(response, hiding: hidden)
    if let failure = answer.failure { throw failure }
    guard let token = answer["access_token"]?.string, !token.isEmpty else {
      throw .untrusted("the token answer has no access token")
    }
    guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw .untrusted("the access token has characters that no header can carry")
    }
    accessToken = Secret(token)
    refreshToken = answer["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : Secret($0) }
    idToken = answer["id_token"]?.string.map(Secret.init)
    let type = answer["token_type"]?.string ?? ""
    tokenType = type.isEmpty || type.lowercased() == "bearer" ? "Bearer" : type
    // It becomes the scheme of a header (RFC 9110, 11.4), so a blank or a line end in it would change what is sent.
    guard tokenType.utf8.count <= 64, tokenType.utf8.allSatisfy({ isASCIILetterOrDigit($0) || "-._~+".utf8.contains($0) }) else {
      throw .untrusted("the token type is no name of an authentication scheme")
    }
    expiresIn = Self.seconds(answer["expires_in"])
    refreshTokenExpiresIn = Self.seconds(answer["refresh_token_expires_in"] ?? answer["refresh_expires_in"])
    scopes = Self.scopes(answer["scope"])
  }

  /// A number, a number with a fraction or a numeric string; nothing else says when, and neither does 0 or less.
  static func seconds(_ json: JSON?) -> Int? {
    let value: Double? =
      switch json {
      case .integer(let value)?: Double(value)
      case .real(let value)?: value
      case .string(let text)?: Double(text)
      default: nil
      }
    // A century is beyond any token's life; more would be a unit that is not seconds.
    guard let value, value > 0, value <= 3_155_760_000 else { return nil }
    return Int(value)
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
