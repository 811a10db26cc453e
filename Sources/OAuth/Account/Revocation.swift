import Jansson

/// What came of taking a grant back.
package struct Revocation: Sendable, Equatable {
  package enum Remote: String, FieldWord {
    /// The provider took back all that it was told of.
    case revoked
    /// It took back one of the two tokens and refused the other.
    case partial
    /// It took nothing back: it has no way, or not for this client.
    case unsupported
  }

  package enum Token: String, FieldWord { case accessToken, refreshToken }

  package var remote = Remote.unsupported
  /// What it refused to take back beside what it took; whether that ended with the other is not known (RFC 7009, 2.1 leaves it to the provider).
  package var remaining: [Token] = []
  /// When a remaining access token ends by itself, in Unix seconds; nil where there is none, or nobody said.
  package var expiresAt: Int?
  /// The page that ends the session at the provider; nil where it has none.
  package var logoutURL: String?

  package init() {}

  package static var sample: Revocation {
    var sample = Revocation()
    (sample.remaining, sample.expiresAt, sample.logoutURL) = ([.accessToken], 0, "")
    return sample
  }

  /// `revoked` and `refused` are the tokens by what the provider made of them. An access token that has ended already remains nowhere.
  init(revoked: [Token], refused: [Token], of grant: Grant, at now: Int) {
    guard !revoked.isEmpty else { return }
    remaining = refused.filter { $0 != .accessToken || grant.expiresAt.map { $0 > now } != false }
    remote = remaining.isEmpty ? .revoked : .partial
    if remaining.contains(.accessToken) { expiresAt = grant.expiresAt }
  }
}
