import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

/// Tokens that are valid for seconds, with a clock that the test sets.
struct ShortLivedTests {
  private static func grant(lifetime: Int, from milliseconds: Int = 0) -> Grant {
    var grant = Grant(account: "a", provider: .object([]), client: Client(id: "c"), accessToken: nil, tokenType: nil, issuedAt: 0)
    grant.issued = Instant(milliseconds: milliseconds)
    grant.expires = grant.issued + lifetime
    return grant
  }

  @Test(arguments: [(2, 1499, true), (2, 1500, false), (1, 749, true), (1, 750, false), (240, 179_999, true), (240, 180_000, false)])
  func aQuarterOfTheLifetimeIsTheMargin(lifetime: Int, age: Int, isValid: Bool) {
    let grant = Self.grant(lifetime: lifetime, from: 700)
    #expect(grant.isValid(at: Instant(milliseconds: 700 + age)) == isValid)
  }

  @Test func aMinuteIsTheLongestMargin() {
    let grant = Self.grant(lifetime: 3600)
    #expect(grant.isValid(at: Instant(milliseconds: 3_539_999)) && !grant.isValid(at: Instant(milliseconds: 3_540_000)))
  }

  /// Earlier versions stored whole seconds, and read this version's grants as whole seconds.
  @Test func aGrantOfAnEarlierVersionHasWholeSeconds() throws {
    let grant = Self.grant(lifetime: 2, from: 1_000_700)
    guard case .object(let members) = try JSON.parse(grant.text) else { return }
    #expect(members.first { $0.name == "issuedAt" }?.value == 1000 && members.first { $0.name == "expiresAt" }?.value == 1002)
    let old = try Grant.decode(.object(members.filter { !$0.name.hasSuffix("Milliseconds") }))
    #expect(old.issued == Instant(seconds: 1000) && old.expires == Instant(seconds: 1002))
    #expect(old.isValid(at: Instant(milliseconds: 1_001_499)) && !old.isValid(at: Instant(milliseconds: 1_001_500)))
  }

  @Test func itIsRefreshedOnceInItsLifetime() async throws {
    let server = PreparedResponses()
    let stage = Stage(server)
    stage.clock.advance(milliseconds: 900)
    try await stage.keep(expiresIn: 0)
    server.add(body: #"{"access_token":"access-2","expires_in":2}"#)
    for _ in 0..<3 {
      #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("access-2"))
      stage.clock.advance(milliseconds: 499)
    }
    server.add(body: #"{"access_token":"access-3","expires_in":2}"#)
    stage.clock.advance(milliseconds: 3)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("access-3"))
    #expect(server.requests.count == 2)
  }
}
