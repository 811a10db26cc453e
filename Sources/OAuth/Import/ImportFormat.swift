import Jansson
import OAuthCore

/// The formats of grants from other programs.
package enum ImportFormat: String, StringEnum {
  case gtmoauth, gtmoauth2, googleoauth, spark, json

  /// Reads the data without the provider's rules, which `settled` applies. `issuedAt` is when the program received the tokens, in Unix seconds.
  package func read(_ data: JSON, issuedAt: Int?, now: Int) throws(FieldError) -> ImportedGrant {
    if let issuedAt, !UnixSeconds.instants.contains(issuedAt) { throw FieldError("/issuedAt", "is no instant in Unix seconds") }
    var grant = try parts(data, now: now)
    grant.issuedAt = issuedAt ?? grant.facts?.issuedAt
    return grant
  }

  private func parts(_ data: JSON, now: Int) throws(FieldError) -> ImportedGrant {
    switch self {
    case .gtmoauth: try .gtmoauth(text(data))
    case .gtmoauth2: try .gtmoauth2(text(data), now: now)
    case .googleoauth: try .googleoauth(data)
    case .spark: try .spark(data)
    case .json: try .json(data)
    }
  }

  private func text(_ data: JSON) throws(FieldError) -> Secret {
    guard case .string(let text) = data else { throw FieldError("/data", "has to be a string in the format \(rawValue), not \(data.kind)") }
    return Secret(text)
  }

  package var documentation: String {
    switch self {
    case .gtmoauth: "GTMOAuth's keychain string: `oauth_token=…&oauth_token_secret=…&…`."
    case .gtmoauth2: "GTMOAuth2's keychain string: `refresh_token=…&serviceProvider=…&…`."
    case .googleoauth: "The texts of GoogleOAuth's files `acctok` and `reftok`."
    case .spark: "SparkAPI's keychain keys `sparkAccessToken`, `sparkRefreshToken` and `sparkOpenId`."
    case .json: "A token response (RFC 6749, 5.1), or an access token by itself."
    }
  }
}
