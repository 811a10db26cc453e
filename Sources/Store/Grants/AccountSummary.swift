import Jansson
import OAuthCore

/// What an account's state shows of its grant. No secret can be read from it.
package final class AccountSummary: Sendable {
  private let grant: Grant

  package init(_ grant: Grant) { self.grant = grant }

  package var account: String { grant.account }
  package var providerName: String { grant.providerName }
  package var preset: String? { grant.preset }
  /// nil if the client has no identifier.
  package var clientId: String? { grant.client.id.isEmpty ? nil : grant.client.id }
  /// nil if the granted scopes are unknown.
  package var grantedScopes: [String]? { grant.unknownScopes == nil ? grant.grantedScopes : nil }
  package var declinedScopes: [String] { grant.declinedScopes }
  package var tokenType: String? { grant.tokenType }
  /// When the access token was received.
  package var issued: Instant { grant.issued }
  /// Identifies the sign-in or import that created the grant; nil in grants of earlier versions.
  package var login: String? { grant.login }
  /// Whether the provider rejected the token that the process renews the grant with, or the access token if there is no other.
  package var isRejected: Bool { grant.isRejected }
  /// Whether a service has rejected the access token without saying that it has ended.
  package var isInDoubt: Bool { grant.doubtedAt != nil }
  package var subject: String? { grant.subject }
  package var email: String? { grant.email }
  package var attributes: NamedValues<String> { grant.attributes }
  /// Unix seconds; nil if the expiry is unknown.
  package var expiresAt: Int? { grant.expiresAt }
  /// When the access token was received, in Unix seconds.
  package var refreshedAt: Int { grant.issuedAt }

  /// Whether the access token can be used now.
  package func isValid(at now: Int) -> Bool {
    grant.hasToken && !isRejected && !grant.isExpired(at: Instant(seconds: now))
  }

  /// Whether the grant was imported and no token of it has been of use here. `usedAt` is when a credential of the account was last used.
  package func isUntried(usedAt: Int?) -> Bool {
    guard let imported = grant.importedAt else { return false }
    return usedAt ?? 0 < imported || grant.expiresAt.map { $0 <= imported } ?? false
  }

  package func canRefresh(at now: Int) -> Bool { grant.canRefresh(at: now) }

  /// Why an account cannot be used before the user signs in again.
  package enum Problem: String, Sendable, CaseIterable {
    case refreshTokenRejected = "the provider rejected the refresh token"
    case accessTokenRejected = "the provider rejected the access token"
    case refreshTokenExpired = "the refresh token expired"
    case accessTokenExpired = "the access token expired and cannot be refreshed"
    case noAccessToken = "the provider issued no access token"

    /// Text for the schemas.
    package static let documentation =
      "The reason why the account with this grant is not usable without the user. If the process cannot read the grant, nothing else is known of it. "
      + "A fault in the account's configuration is reported here, too. Otherwise it is one of \(allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "))."
  }

  /// Returns nil if the account can be used without the user.
  package func problem(at now: Int) -> Problem? {
    if isValid(at: now) || canRefresh(at: now) { return nil }
    if !grant.hasToken, !isRejected { return .noAccessToken }
    guard isRejected else { return .accessTokenExpired }
    guard grant.isRenewable else { return .accessTokenRejected }
    return grant.isPastRefreshing(at: now) ? .refreshTokenExpired : .refreshTokenRejected
  }

  /// One account in a listing: its grant's summary, or why the grant cannot be read.
  package struct Listed: Sendable {
    package let account: String
    package let summary: AccountSummary?
    /// When a credential of the account was last used, in Unix seconds; nil if that is unknown.
    package let usedAt: Int?
    package let problem: OAuthFailure?

    package init(_ summary: AccountSummary, usedAt: Int?) {
      (account, self.summary, self.usedAt, problem) = (summary.account, summary, usedAt, nil)
    }

    init(account: String, problem: OAuthFailure) {
      (self.account, summary, usedAt, self.problem) = (account, nil, nil, problem.of(account))
    }
  }
}
