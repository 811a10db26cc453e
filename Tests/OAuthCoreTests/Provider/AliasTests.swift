import Jansson
import Testing

@testable import OAuthCore

/// The endpoints for clients with a certificate (RFC 8705, 5).
struct AliasTests {
  private func provider(_ alias: String) throws -> Provider {
    try Provider.decode(["tokenEndpoint": "https://a.example/token", "mtlsEndpoints": ["tokenEndpoint": .string(alias)]])
  }

  private func client() throws -> Client {
    let text = Secret("-----BEGIN CERTIFICATE----- -----BEGIN PRIVATE KEY-----")
    var client = Client(id: "c")
    client.stored.certificate = try ClientCertificate(certificate: text, key: nil, password: nil)
    return client
  }

  /// A server that names an honest endpoint and its own alias must not get an assertion that the honest one takes (CVE-2025-27370).
  @Test(arguments: [
    ("https://a.example/mtls/token", "https://a.example/token"), ("https://evil.example/token", "https://evil.example/token"),
  ])
  func anAliasElsewhereIsTheAudienceOfItsAssertions(alias: String, audience: String) throws {
    let provider = try provider(alias)
    #expect(try provider.audience(at: provider.tokenEndpoint, for: client()) == audience)
    #expect(try provider.endpoint("https://a.example/token", for: client()) == alias)
    #expect(provider.endpoint("https://a.example/token", for: Client(id: "c")) == "https://a.example/token")
  }

  @Test func anAliasElsewhereIsAnotherOrigin() throws {
    let plain = try Provider.decode(["tokenEndpoint": "https://a.example/token"])
    #expect(try provider("https://a.example/mtls/token").sendsSecretsNowhereElse(than: plain))
    #expect(try !provider("https://evil.example/token").sendsSecretsNowhereElse(than: plain))
  }

  @Test(arguments: [("jwksUri", "https://a.example/"), ("tokenEndpoint", "http://a.example/"), ("tokenEndpoint", "https://a.example/#a")])
  func wrongAliasesAreRejected(member: String, alias: String) {
    #expect(throws: FieldError.self) { try Provider.decode(["mtlsEndpoints": .object([.init(member, .string(alias))])]) }
  }
}
