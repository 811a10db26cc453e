import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// The users that an assertion may name.
extension OpenIDAssertionTests {
  /// Returns the subject; nil if the assertion is rejected.
  private func subject(
    _ claimed: String?, _ identity: String?, dialect: OpenIDAuthenticationRequest.Dialect = .standard,
    claimedIds: String? = SampleAssertion.claimedIds
  ) throws -> String?? {
    var sample = SampleAssertion()
    sample.set("claimed_id", claimed)
    sample.set("identity", identity)
    sample.signed.removeAll { ($0 == "claimed_id" && claimed == nil) || ($0 == "identity" && identity == nil) }
    let assertion = try assertion(sample, dialect: dialect, claimedIds: claimedIds)
    do throws(OAuthFailure) {
      return .some(try assertion.subject())
    } catch {
      #expect(error.kind == .responseUntrusted)
      return nil
    }
  }

  @Test func incompleteClaims() throws {
    #expect(try subject(nil, nil) == nil && subject(nil, nil, dialect: .bare, claimedIds: nil) == .some(nil))
    #expect(try subject("https://op.example/id/1", nil) == nil && subject(nil, "https://op.example/id/1") == nil)
    #expect(try subject(OpenIDMessage.identifierSelect, OpenIDMessage.identifierSelect) == nil)
  }

  /// Identifiers like Steam's. Similar identifiers are rejected.
  @Test func ownIdentifiers() throws {
    let own = SampleAssertion.claimedIds
    #expect(try subject(own + "76561197960435530", own + "76561197960435530") == own + "76561197960435530")
    for other in [
      own, own + "1/2", own + "1?x", own + "../x", "https://evil.example/" + own + "1", "https://evil.example/id/1", own + "1%2F2",
      "https://op.example/id", "https://op.example.evil.example/id/1", own + "1#x", "HTTPS://op.example/id/1", "http://op.example/id/1",
      "=me",
    ] {
      #expect(try subject(other, other) == nil, "\(other)")
    }
    #expect(try subject(own + "1", own + "2") == nil)
  }

  /// Requests to Spark name no user. Spark returns its own users.
  @Test func bareIdentifiers() throws {
    let own = "https://op.example/users/1"
    #expect(try subject(own, own, dialect: .bare, claimedIds: nil) == own)
    for other in ["https://me.example/", "http://op.example/users/1", "https://u@op.example/users/1", "=me"] {
      #expect(try subject(other, other, dialect: .bare, claimedIds: nil) == nil, "\(other)")
    }
  }
}
