import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Signatures
@testable import Store

/// No printed form of a value shows a secret.
struct SecretTests {

  private static var grant: Grant {
    var grant = Grant(
      account: "a", provider: .object(Stage.provider), client: Client(id: "client", secret: Secret("s3cr3t-client")),
      accessToken: Secret("s3cr3t-access"), tokenType: "Bearer", issuedAt: 0)
    grant.refreshToken = Secret("s3cr3t-refresh")
    grant.idToken = Secret("s3cr3t-id")
    return grant
  }

  private func printed(_ value: some Any) -> String {
    var dumped = ""
    dump(value, to: &dumped)
    return "\(value) \(String(describing: value)) \(String(reflecting: value)) \([value]) \(Optional.some(value) as Any) \(dumped)"
  }

  private func expectNoSecret(_ value: some Any, sourceLocation: SourceLocation = #_sourceLocation) {
    let text = printed(value)
    #expect(!text.contains("s3cr3t"), sourceLocation: sourceLocation)
    #expect(text.contains("…"), "the secret's place is shown, so that this test has looked at it", sourceLocation: sourceLocation)
  }

  @Test func nothingPrintsItsSecrets() throws {
    expectNoSecret(Secret("s3cr3t-access"))
    // A grant prints its account, and nothing that it stores.
    #expect(printed(Self.grant).contains("Grant(a)") && !printed(Self.grant).contains("s3cr3t"))
    expectNoSecret(Self.grant.client)
    expectNoSecret(TokenRequest.code(Secret("s3cr3t-code"), redirectUri: "", verifier: Secret("s3cr3t-verifier")))
    expectNoSecret(TokenRequest.refresh(Secret("s3cr3t-refresh"), redirectUri: nil))
    expectNoSecret(
      try TokenRequest.Response(.json(#"{"access_token":"s3cr3t-access","refresh_token":"s3cr3t-refresh","id_token":"s3cr3t-id"}"#)))
    expectNoSecret(AuthorizationRequest.Response([.init(name: "code", value: "s3cr3t-code")], issuer: nil, page: "https://id.example"))
    expectNoSecret(RevocationRequest(token: Secret("s3cr3t-refresh"), hint: "refresh_token"))
    expectNoSecret(["key": Secret("s3cr3t-access")])
    #expect(!printed(Authorization(Self.grant, via: .stored, asked: [], now: 0)).contains("s3cr3t"))
  }

  @Test func pkceHidesItsVerifier() {
    let pkce = AuthorizationRequest.PKCE(random: [UInt8](repeating: 1, count: 32))
    #expect(!printed(pkce).contains(pkce.verifier.value))
    #expect(printed(pkce).contains(pkce.challenge))
  }

  /// A grant is equal after it is written and read.
  @Test func aGrantSurvivesItsText() throws {
    var grant = Self.grant
    grant.providerName = "Example"
    grant.issued = Instant(milliseconds: 1250)
    grant.expires = Instant(milliseconds: 5001)
    grant.refreshTokenExpiresAt = 6
    grant.grantedScopes = ["a"]
    grant.declinedScopes = ["b"]
    grant.redirectUri = "x:/"
    grant.subject = "me"
    grant.end("why", at: 7)
    grant.doubtedAt = 8
    grant.isUntried = true
    grant.generation = 9
    #expect(try Grant.decode(JSON.parse(grant.text)) == grant)
    // Half of its life is 1.8755 seconds.
    let (late, tooLate) = (Instant(milliseconds: 3125), Instant(milliseconds: 3126))
    #expect(!grant.isValid(for: .seconds(5), at: late))
    grant.isRejected = false
    #expect(grant.isValid(for: .seconds(5), at: late) && !grant.isValid(for: .seconds(5), at: tooLate))
  }
}
