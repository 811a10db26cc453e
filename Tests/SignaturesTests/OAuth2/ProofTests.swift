import Crypto
import Jansson
import OAuthCore
import Testing

@testable import Signatures

/// Proofs by the examples of RFC 9449, 4 and 7.
struct ProofTests {
  /// The public key of all examples.
  private static let example: JSON = [
    "crv": "P-256", "kty": "EC", "x": "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs", "y": "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA",
  ]
  private static let token = Secret("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU")

  private func proof(
    _ key: SigningKey, _ url: String = "https://resource.example.org/protectedresource", token: Secret? = nil, nonce: String? = nil
  ) throws -> (header: JSON, claims: JSON, text: Secret) {
    let text = try key.proof("GET", URLParts(url), token: token, nonce: nonce, id: "e1j3V_bKic8-LAEB", at: 1_562_262_618)
    let parts = try text.value.split(separator: ".").prefix(2).map { try JSON.parse(Base64.decodeURL(String($0))) }
    return (parts[0], parts[1], text)
  }

  private func key() throws -> SigningKey { try SigningKey(SigningKey.newProofKey()) }

  /// The thumbprint of section 6.1, as a page names it.
  @Test func theExamplesKeyHasItsThumbprint() throws {
    let key = try #require(JSONWebKey(Self.example))
    #expect(Base64.encodeURL(Array(SHA256.hash(data: key.material.json.text))) == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
  }

  @Test func aProofHasTheClaimsOfTheExample() throws {
    let key = try key()
    let made = try proof(key, token: Self.token)
    #expect(made.header == ["alg": "ES256", "typ": "dpop+jwt", "jwk": key.publicKey])
    #expect(made.header["jwk"]?.members?.map(\.name) == ["crv", "kty", "x", "y"])
    #expect(
      made.claims == [
        "jti": "e1j3V_bKic8-LAEB", "htm": "GET", "htu": "https://resource.example.org/protectedresource", "iat": 1_562_262_618,
        "ath": "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo",
      ])
    #expect(try proof(key).claims["ath"] == nil)
    #expect(try proof(key, nonce: "eyJ7S_zG.eyJH0-Z.HX4w-7v").claims["nonce"] == "eyJ7S_zG.eyJH0-Z.HX4w-7v")
  }

  @Test(arguments: [
    ("https://Server.Example.com:443/token?a=b#c", "https://server.example.com/token"), ("https://api.example", "https://api.example/"),
    ("https://api.example?q", "https://api.example/"), ("http://127.0.0.1:8080/a%2Fb/", "http://127.0.0.1:8080/a%2Fb/"),
  ])
  func theTargetHasNeitherQueryNorFragment(url: String, target: String) throws {
    #expect(try proof(key(), url).claims["htu"] == .string(target))
  }
}
