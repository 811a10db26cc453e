import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// The users that an assertion may name.
extension OpenIDAssertionTests {
  private func claim(
    _ claimed: String?, _ identity: String?, service: OpenIDService = Self.service,
    dialect: OpenIDAuthenticationRequest.Dialect = .standard,
    claimedIds: String? = nil
  ) throws -> OpenIDAssertion.Claim? {
    var sample = SampleAssertion()
    sample.set("claimed_id", claimed)
    sample.set("identity", identity)
    sample.signed.removeAll { ($0 == "claimed_id" && claimed == nil) || ($0 == "identity" && identity == nil) }
    let assertion = try assertion(sample, service: service, dialect: dialect, claimedIds: claimedIds)
    do throws(OAuthFailure) {
      return try assertion.claim()
    } catch {
      #expect(error.kind == .responseUntrusted)
      return nil
    }
  }

  @Test func claims() throws {
    #expect(try claim("https://me.example/#2", "https://op.example/me") == .confirmed("https://me.example/#2"))
    #expect(try claim("https://ME.example", "https://op.example/me") == .confirmed("https://me.example/"))
    #expect(try claim("https://me.example/", "https://op.example/you") == nil)
    #expect(try claim("https://you.example/", "https://op.example/me") == .lookUp(try OpenIDIdentifier("https://you.example/")))
    #expect(
      try claim("https://op.example/u#1", "https://op.example/u", service: anyUser) == .lookUp(try OpenIDIdentifier("https://op.example/u"))
    )
    let own = OpenIDService(kind: .signon, endpoint: "https://op.example/e", claimedId: "https://me.example/")
    #expect(try claim("https://me.example/", "https://me.example/", service: own) == .confirmed("https://me.example/"))
    #expect(try claim("https://me.example/#2", "https://me.example/", service: own) == .confirmed("https://me.example/#2"))
    #expect(try claim("https://me.example/", "https://you.example/", service: own) == nil)
  }

  @Test func invalidClaims() throws {
    #expect(try claim(nil, nil) == nil && claim(nil, nil, dialect: .bare) == OpenIDAssertion.Claim.none)
    #expect(try claim("https://me.example/", nil) == nil && claim(nil, "https://op.example/me") == nil)
    #expect(try claim("http://me.example/", "http://me.example/", service: anyUser) == nil && claim("=me", "=me", service: anyUser) == nil)
    #expect(try claim(OpenIDMessage.identifierSelect, OpenIDMessage.identifierSelect, service: anyUser) == nil)
  }

  /// Identifiers like Steam's. Similar identifiers are rejected.
  @Test func ownIdentifiers() throws {
    let own = "https://op.example/openid/id/"
    #expect(
      try claim(own + "76561197960435530", own + "76561197960435530", service: anyUser, claimedIds: own)
        == .confirmed(own + "76561197960435530"))
    for other in [
      own, own + "1/2", own + "1?x", own + "../x", "https://evil.example/" + own + "1", "https://evil.example/openid/id/1", own + "1%2F2",
      "https://op.example/openid/id", "https://op.example.evil.example/openid/id/1", own + "1#x",
    ] {
      #expect(try claim(other, other, service: anyUser, claimedIds: own) == nil, "\(other)")
    }
    #expect(try claim(own + "1", own + "2", service: anyUser, claimedIds: own) == nil)
  }

  /// Requests to Spark name no user. Spark returns its own users.
  @Test func bareIdentifiers() throws {
    #expect(
      try claim("https://op.example/users/1", "https://op.example/users/1", service: anyUser, dialect: .bare)
        == .confirmed("https://op.example/users/1"))
    #expect(
      try claim("https://me.example/", "https://op.example/me", service: anyUser, dialect: .bare)
        == .lookUp(try OpenIDIdentifier("https://me.example/")))
  }

  @Test func lookedUp() throws {
    let assertion = try assertion(service: anyUser)
    func subject(_ services: [OpenIDService]) -> String? { try? assertion.subject(confirmedBy: services) }
    var service = Self.service
    #expect(subject([anyUser, service]) == "https://me.example/" && subject([]) == nil && subject([anyUser]) == nil)
    service.kind = .signon1
    #expect(subject([service]) == nil)
    for change in [
      { (service: inout OpenIDService) in service.endpoint = "https://evil.example/" }, { $0.localId = nil },
      { $0.localId = "https://op.example/you" },
      { $0.claimedId = "https://you.example/" },
    ] {
      var other = Self.service
      change(&other)
      #expect(subject([other]) == nil)
    }
  }
}
