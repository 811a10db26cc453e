import Jansson
import TestSupport
import Testing

@testable import OAuthCore
@testable import Signatures

@Suite struct MaskedBaseStringTests {
  /// Returns a request with every kind of secret, each in a different place.
  private func request(_ method: SignatureMethod, _ placement: SignaturePlacement) throws -> OAuth1Request {
    var request = OAuth1Fixture.request(
      "POST", "https://example.com/r?seen=1&copy=hush%2B1", headers: [OAuth1Fixture.form], body: "x_auth_password=hunter2&a=b")
    request.client.consumerSecret = Secret("hush+1")
    request.client.signatureMethod = method
    request.client.placement = placement
    request.client.privateKey = try RSAPrivateKey(pem: Secret(String(decoding: OAuth1Fixture.file("testcases.pem"), as: UTF8.self)))
    request.token = OAuth1Fixture.token("to/ken", "quiet&2")
    request.parameters = [OAuth1Parameter("oauth_verifier", "verifier7")]
    return request
  }

  @Test(arguments: SignatureMethod.allCases, SignaturePlacement.allCases)
  func secretsAreMasked(method: SignatureMethod, placement: SignaturePlacement) throws {
    let text = try request(method, placement).maskedBaseString()
    guard let text else {
      #expect(method == .plaintext)
      return
    }
    for secret in ["hunter2", "hush", "quiet", "to/ken", "to%2Fken", "to%252Fken", "verifier7"] {
      #expect(!text.contains(secret), "\(secret)")
    }
    #expect(text.contains("oauth_consumer_key"))
  }

  @Test func saysWhatIsSigned() throws {
    #expect(
      try request(.hmacSHA1, .header).maskedBaseString()
        == "POST&https%3A%2F%2Fexample.com%2Fr&a%3Db%26copy%3D…%26oauth_consumer_key%3Dkey%26oauth_nonce%3Dnonce"
        + "%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1318622958%26oauth_token%3D…%26oauth_verifier%3D…"
        + "%26oauth_version%3D1.0%26seen%3D1%26x_auth_password%3D…")
    #expect(try request(.plaintext, .header).maskedBaseString() == nil)
  }

  /// Without secrets to mask, it is exactly the text that is signed.
  @Test func unmaskedBaseStringIsTheSignedOne() throws {
    var request = OAuth1Fixture.request("get", "https://example.com/a%2Fb?x=%E2%82%AC&x=&y+z")
    request.token = nil
    let bytes = try OAuth1Draft(request).baseString.bytes
    #expect(try request.maskedBaseString() == String(decoding: bytes, as: UTF8.self))
  }

  @Test func nothingPrintsASecret() throws {
    let request = try request(.hmacSHA1, .header)
    var text = ""
    dump(request.client, to: &text)
    dump(request.parameters, to: &text)
    dump(request.token, to: &text)
    for secret in ["hush+1", "quiet&2", "to/ken", "verifier7", "MIIC"] { #expect(!text.contains(secret)) }
  }
}
