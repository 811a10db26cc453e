import Jansson
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

/// What a listing shows of a grant.
struct AccountSummaryTests {
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
