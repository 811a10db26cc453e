import Jansson
import OAuthCore

/// What an account's state shows of its grant, computed once when the grant was read.
///
/// A grant has dozens of members, and a listing of thousands of accounts would copy them for every member that it shows.
/// A summary holds no secret.
package final class AccountSummary: Sendable {
  package let account: String
  package let providerName: String
  package let preset: String?
  /// nil if the client has no identifier.
  package let clientId: String?
  /// nil if the granted scopes are unknown.
  package let grantedScopes: [String]?
  package let declinedScopes: [String]
  package let tokenType: String?
  let expires: Instant?
  /// When the access token was received.
  package let issued: Instant
  /// Identifies the sign-in or import that created the grant; nil in grants of earlier versions.
  package let login: String?
  private let hasToken: Bool
  private let isRenewable: Bool
  /// Whether the provider rejected the token that the process renews the grant with, or the access token if there is no other.
  package let isRejected: Bool
  let renewability: Renewability
  /// Unix seconds.
  private let refreshTokenExpiresAt: Int?
  package let subject: String?
  package let email: String?
  package let attributes: NamedValues<String>

  package init(_ grant: Grant) {
    let grant = grant.withoutRepeatedSecrets
    (account, providerName, preset) = (grant.account, grant.providerName, grant.preset)
    clientId = grant.client.id.isEmpty ? nil : grant.client.id
    grantedScopes = grant.unknownScopes == nil ? grant.grantedScopes : nil
    declinedScopes = grant.declinedScopes
    (tokenType, expires) = (grant.tokenType, grant.expires)
    (issued, login) = (grant.issued, grant.login)
    (hasToken, isRenewable, isRejected) = (grant.hasToken, grant.isRenewable, grant.isRejected)
    refreshTokenExpiresAt = grant.refreshTokenExpiresAt
    renewability = grant.renewability
    (subject, email, attributes) = (grant.subject, grant.email, grant.attributes)
  }

  /// Unix seconds; nil if the expiry is unknown.
  package var expiresAt: Int? { expires?.seconds }
  /// When the access token was received, in Unix seconds.
  package var refreshedAt: Int { issued.seconds }

  /// Whether the access token can be used now.
  package func isValid(at now: Int) -> Bool {
    hasToken && !isRejected && (expires.map { $0.milliseconds > Instant(seconds: now).milliseconds } ?? true)
  }

  package func canRefresh(at now: Int) -> Bool { renewability.isPossible(at: now, expiresAt: expiresAt) }

  /// Why an account cannot be used before the user signs in again.
  package enum Problem: String, Sendable, CaseIterable {
    case refreshTokenRejected = "the provider rejected the refresh token"
    case accessTokenRejected = "the provider rejected the access token"
    case refreshTokenExpired = "the refresh token expired"
    case accessTokenExpired = "the access token expired and cannot be refreshed"
    case noAccessToken = "the provider issued no access token"

    /// Text for the schemas. It is a literal that a test compares with the cases, because every answer passes it on: made from the cases, it took a
    /// fifth of the time of an `account` request.
    package static let documentation =
      "The reason why the account with this grant is not usable without the user. If the process cannot read the grant, nothing else is known of it. "
      + "A fault in the account's configuration is reported here, too. Otherwise it is one of `the provider rejected the refresh token`, `the provider rejected the access token`, `the refresh token expired`, "
      + "`the access token expired and cannot be refreshed`, `the provider issued no access token`."
  }

  /// Returns nil if the account can be used without the user.
  package func problem(at now: Int) -> Problem? {
    if isValid(at: now) || canRefresh(at: now) { return nil }
    if !hasToken { return .noAccessToken }
    guard isRejected else { return .accessTokenExpired }
    guard isRenewable else { return .accessTokenRejected }
    return refreshTokenExpiresAt.map { $0 <= now } ?? false ? .refreshTokenExpired : .refreshTokenRejected
  }

  /// Whether a refresh may return a new access token.
  enum Renewability: Sendable {
    case never
    /// The access token itself is exchanged for the next one, so it must be valid.
    case beforeExpiry
    case always

    /// Both times are Unix seconds. An unknown expiry counts as not reached.
    func isPossible(at now: Int, expiresAt: Int?) -> Bool {
      switch self {
      case .never: false
      case .beforeExpiry: expiresAt.map { $0 > now } ?? true
      case .always: true
      }
    }
  }

  /// One account in a listing: its grant's summary, or why the grant cannot be read.
  package struct Listed: Sendable {
    package let account: String
    package let summary: AccountSummary?
    /// When a credential of the account was last used, in Unix seconds; nil if that is unknown.
    package internal(set) var usedAt: Int?
    /// At most one. An array takes one word in each of thousands of elements, and a failure takes dozens.
    private let problems: [OAuthFailure]

    package var problem: OAuthFailure? { problems.first }

    init(_ summary: AccountSummary, usedAt: Int?) {
      (account, self.summary, self.usedAt, problems) = (summary.account, summary, usedAt, [])
    }

    init(account: String, problem: OAuthFailure) {
      (self.account, summary, usedAt, problems) = (account, nil, nil, [problem.of(account)])
    }
  }
}
