import Jansson
import OAuthCore
import Store

/// The result of revoking a grant.
package struct Revocation: Sendable, Equatable {
  /// What the provider has done.
  package enum Remote: String, DescribedEnum {
    package static let schemaName: String? = "RemoteRevocation"

    case revoked, partial, refused, unsupported
  }

  package enum Token: String, StringEnum {
    package static let schemaName: String? = "RevocableToken"

    case accessToken, refreshToken
  }

  package var remote = Remote.unsupported
  /// Tokens that the provider did not revoke while it revoked another. They may have ended with it: RFC 7009, 2.1 leaves that to the provider.
  package var remaining: [Token] = []
  /// When a remaining access token expires, in Unix seconds; nil if none remains or its expiry is unknown.
  package var expiresAt: Int?
  /// The page that ends the session at the provider; nil if there is none.
  package var logoutURL: String?
  /// Where the user can look after the session, for people: the logout page, or the provider's origin.
  package var page: String?

  package init() {}

  package static var sample: Revocation {
    var sample = Revocation()
    (sample.remaining, sample.expiresAt, sample.logoutURL) = ([.accessToken], 0, "")
    return sample
  }

  /// `revoked` and `rejected` are the tokens by the provider's response. An access token that has already expired does not remain.
  init(revoked: [Token], rejected: [Token], of grant: Grant, at now: Int) {
    remote = rejected.isEmpty ? .unsupported : .refused
    guard !revoked.isEmpty else { return }
    remaining = rejected.filter { $0 != .accessToken || grant.expiresAt.map { $0 > now } != false }
    remote = remaining.isEmpty ? .revoked : .partial
    if remaining.contains(.accessToken) { expiresAt = grant.expiresAt }
  }
}
