import Jansson
import OAuthCore

/// What an account's state shows of its grant, computed once when the grant was read.
///
/// A grant has dozens of members, and a listing of thousands of accounts would copy them for every member that it shows.
/// A summary holds no secret, because listings keep it in memory and in a file.
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
  /// Whether there is a token for API calls whose renewal the provider has not refused.
  let isUsable: Bool
  let renewability: Renewability
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
    isUsable = grant.hasToken && !grant.isRefreshRefused
    renewability = grant.renewability
    (subject, email, attributes) = (grant.subject, grant.email, grant.attributes)
  }

  /// Reads what `write` has written.
  init(_ reader: inout ListingIndex.Reader) throws(ListingIndex.Malformed) {
    account = try reader.text()
    providerName = try reader.text()
    preset = try reader.optionalText()
    clientId = try reader.optionalText()
    grantedScopes = try reader.optionalTexts()
    declinedScopes = try reader.texts()
    tokenType = try reader.optionalText()
    expires = try reader.byte() == 0 ? nil : Instant(milliseconds: Int(try reader.number()))
    isUsable = try reader.byte() != 0
    guard let renewability = Renewability(rawValue: try reader.byte()) else { throw ListingIndex.Malformed() }
    self.renewability = renewability
    subject = try reader.optionalText()
    email = try reader.optionalText()
    var attributes = NamedValues<String>()
    for _ in 0..<(try reader.length()) { attributes.pairs.append((try reader.text(), try reader.text())) }
    self.attributes = attributes
  }

  func write(to writer: inout ListingIndex.Writer) {
    writer.add(account)
    writer.add(providerName)
    writer.add(preset)
    writer.add(clientId)
    writer.add(grantedScopes)
    writer.add(declinedScopes)
    writer.add(tokenType)
    writer.add(UInt8(expires == nil ? 0 : 1))
    if let expires { writer.add(Int64(expires.milliseconds)) }
    writer.add(UInt8(isUsable ? 1 : 0))
    writer.add(renewability.rawValue)
    writer.add(subject)
    writer.add(email)
    writer.add(UInt32(attributes.pairs.count))
    for pair in attributes.pairs {
      writer.add(pair.name)
      writer.add(pair.value)
    }
  }

  /// Unix seconds; nil if the expiry is unknown.
  package var expiresAt: Int? { expires?.seconds }

  /// Whether the access token can be used now.
  package func isValid(at now: Int) -> Bool {
    isUsable && (expires.map { $0.milliseconds > Instant(seconds: now).milliseconds } ?? true)
  }

  package func canRefresh(at now: Int) -> Bool { renewability.isPossible(at: now, expiresAt: expiresAt) }

  /// Whether a refresh may return a new access token.
  enum Renewability: UInt8, Sendable, CaseIterable {
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
    /// At most one. An array takes one word in each of thousands of elements, and a failure takes dozens.
    private let problems: [OAuthFailure]

    package var problem: OAuthFailure? { problems.first }

    init(_ summary: AccountSummary) { (account, self.summary, problems) = (summary.account, summary, []) }

    init(account: String, problem: OAuthFailure) { (self.account, summary, problems) = (account, nil, [problem.of(account)]) }
  }
}
