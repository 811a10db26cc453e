import Jansson
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

/// What an account's state shows of its grant.
struct GrantStateTests {
  @Test func onlyAValidTokenIsUsable() {
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
        if bits & 32 != 0 { grant.tokenSecret = Secret("s") }
        grants.append(grant)
      }
    }
    for grant in grants {
      for now in [99, 100, 101] {
        let isValid = grant.hasToken && grant.isValid(for: .seconds(0), at: Instant(seconds: now)) && !grant.isRejected
        #expect(grant.isUsable(at: now) == isValid, "\(grant) at \(now)")
      }
    }
  }

  @Test func theSchemasNameEveryProblem() {
    let named = Grant.Problem.documentation.split(separator: "`", omittingEmptySubsequences: false)
    #expect(stride(from: 1, to: named.count, by: 2).map { String(named[$0]) } == Grant.Problem.allCases.map(\.rawValue))
  }
}
