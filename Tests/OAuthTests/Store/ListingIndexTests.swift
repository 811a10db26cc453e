import Crypto
import Jansson
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

/// The format of the index: every field comes back, and nothing but a whole index of the same key is read.
struct ListingIndexTests {
  private let key = SymmetricKey(data: [UInt8](repeating: 7, count: 32))

  private var full: AccountSummary {
    var grant = Grant(
      account: "google/wörk", provider: ["preset": "google", "refreshStyle": "accessToken"], client: Client(id: "client.example.com"),
      accessToken: Secret("t"), tokenType: "Bearer", issuedAt: 1)
    (grant.providerName, grant.grantedScopes, grant.declinedScopes) = ("Google", ["a", "", "ü"], ["d"])
    (grant.expires, grant.subject, grant.email) = (Instant(milliseconds: 1_795_366_526_123), "1234567890", "user@example.com")
    grant.attributes = NamedValues([("team", "blue"), ("", "")])
    return AccountSummary(grant)
  }

  private var empty: AccountSummary {
    var grant = Grant(account: "", provider: .object([]), client: Client(id: ""), accessToken: nil, tokenType: nil, issuedAt: 0)
    grant.unknownScopes = .notReported
    return AccountSummary(grant)
  }

  private func entries(_ summaries: AccountSummary...) throws -> [ListingIndex.Entry] {
    let stamp = try #require(FileStamp.ifAny("/dev/null"))
    return summaries.map { ListingIndex.Entry(name: "\(FileName.of($0.account))", stamp: stamp, summary: $0) }
  }

  /// The names and values of all members, so that one that is added later is compared as well.
  private func members(_ value: Any) -> [String] { Mirror(reflecting: value).children.map { "\($0.label ?? "") \($0.value)" } }

  @Test func everyMemberComesBack() throws {
    let written = try entries(full, empty)
    let read = try #require(ListingIndex.open(ListingIndex.seal(written, with: key), with: key))
    #expect(read.map(\.name) == written.map(\.name) && read.map(\.stamp) == written.map(\.stamp))
    #expect(read.map { members($0.summary) } == written.map { members($0.summary) })
    #expect(members(full).count == 16)
  }

  @Test(arguments: AccountSummary.Renewability.allCases) func everyRenewabilityComesBack(value: AccountSummary.Renewability) throws {
    var grant = Grant(
      account: "a", provider: value == .beforeExpiry ? ["refreshStyle": "accessToken"] : .object([]), client: Client(id: ""),
      accessToken: Secret("t"), tokenType: nil, issuedAt: 0)
    if value == .always { grant.refreshToken = Secret("r") }
    let summary = AccountSummary(grant)
    let read = ListingIndex.open(try ListingIndex.seal(try entries(summary), with: key), with: key)
    #expect(summary.renewability == value)
    #expect(read?.first?.summary.renewability == value && read?.first?.summary.grantedScopes == [])
  }

  @Test func aDamagedIndexIsNotRead() throws {
    let whole = try ListingIndex.seal(try entries(full, empty), with: key)
    #expect(ListingIndex.open(whole, with: key)?.count == 2)
    for index in whole.indices {
      var bytes = whole
      bytes[index] ^= 1 << (index % 8)
      #expect(ListingIndex.open(bytes, with: key) == nil, "byte \(index)")
      #expect(ListingIndex.open(Array(whole[..<index]), with: key) == nil, "\(index) bytes")
    }
    #expect(ListingIndex.open(whole + [0], with: key) == nil)
  }

  @Test func anIndexOfAnotherKeyOrVersionIsNotRead() throws {
    let whole = try ListingIndex.seal(try entries(full), with: key)
    #expect(ListingIndex.open(whole, with: SymmetricKey(data: [UInt8](repeating: 8, count: 32))) == nil)
    let line = "oauth-stdio listing 1 \(SealedGrant.identifier(of: key))\n"
    #expect(ListingIndex.open(try SealedGrant.seal([0, 0, 0, 0], with: key, authenticating: Array(line.utf8)), with: key) == nil)
  }

  /// A later release may seal another body by mistake. It must not end the process.
  @Test func aSealedBodyOfAnotherFormIsNotRead() throws {
    let line = Array("oauth-stdio listing 2 \(SealedGrant.identifier(of: key))\n".utf8)
    let whole = try SealedGrant.seal([0, 0, 0, 0], with: key, authenticating: line)
    #expect(ListingIndex.open(whole, with: key)?.isEmpty == true)
    for body: [UInt8] in [
      [], [1, 0, 0, 0], [0, 0, 0, 0, 0], [UInt8](repeating: 0xFF, count: 100), [1, 0, 0, 0] + [UInt8](repeating: 0, count: 80),
    ] {
      #expect(ListingIndex.open(try SealedGrant.seal(body, with: key, authenticating: line), with: key) == nil, "\(body)")
    }
  }

  @Test func itsFilesAreTheStores() {
    #expect(FileName.isOfStore(ListingIndex.name))
    let temporary = FileName.temporary(for: ListingIndex.name) { [UInt8](repeating: 1, count: $0) }
    #expect(FileName.target(ofTemporary: temporary) == ListingIndex.name && FileName.isOfStore(temporary))
  }

  /// A summary answers as its grant does, whatever decides it.
  @Test func aSummaryAgreesWithItsGrant() {
    var grants: [Grant] = []
    for text: JSON in [.object([]), ["refreshStyle": "accessToken"], ["protocol": "oauth1", "preset": "p"]] {
      for bits in 0..<64 {
        var grant = Grant(
          account: "a", provider: text, client: Client(id: bits & 1 == 0 ? "" : "c"), accessToken: nil, tokenType: nil, issuedAt: 1)
        if bits & 1 != 0 { grant.accessToken = Secret("t") }
        if bits & 2 != 0 { grant.refreshToken = Secret("r") }
        if bits & 4 != 0 { grant.expires = Instant(milliseconds: 100_500) }
        if bits & 8 != 0 { grant.isRejected = true }
        if bits & 16 != 0 { grant.clientParameters = NamedValues() }
        if bits & 32 != 0 { (grant.tokenSecret, grant.unknownScopes) = (Secret("s"), .notReported) }
        grants.append(grant)
      }
    }
    for grant in grants {
      let summary = AccountSummary(grant)
      for now in [99, 100, 101] {
        let isValid = grant.hasToken && grant.isValid(for: 0, at: Instant(seconds: now)) && !grant.isRejected
        #expect(summary.isValid(at: now) == isValid && summary.canRefresh(at: now) == grant.canRefresh(at: now), "\(grant) at \(now)")
      }
      #expect(summary.clientId == (grant.client.id.isEmpty ? nil : grant.client.id) && summary.expiresAt == grant.expiresAt)
      #expect(summary.grantedScopes == (grant.unknownScopes == nil ? grant.grantedScopes : nil) && summary.preset == grant.preset)
    }
  }

  @Test func theSchemasNameEveryProblem() {
    let named = AccountSummary.Problem.documentation.split(separator: "`", omittingEmptySubsequences: false)
    #expect(stride(from: 1, to: named.count, by: 2).map { String(named[$0]) } == AccountSummary.Problem.allCases.map(\.rawValue))
  }
}
