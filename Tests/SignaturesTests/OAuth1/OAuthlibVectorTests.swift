import Jansson
import TestSupport
import Testing

@testable import OAuthCore
@testable import Signatures

/// Hundreds of unusual requests, compared with oauthlib's results (`Vectors/oauthlib_vectors.py`).
@Suite struct OAuthlibVectorTests {
  /// One vector, read by member name.
  struct Vector {
    let json: JSON

    subscript(_ name: String) -> String? { json[name]?.string }
    var comment: Comment { "\(self["name"] ?? "") by \(self["signatureMethod"] ?? "") in the \(self["placement"] ?? "")" }

    func request(key: RSAPrivateKey) throws -> OAuth1Request {
      let client = OAuth1Client(
        consumerKey: try #require(self["consumerKey"]), consumerSecret: Secret(self["consumerSecret"] ?? ""),
        signatureMethod: try #require(SignatureMethod(rawValue: self["signatureMethod"] ?? "")), privateKey: key,
        placement: try #require(SignaturePlacement(rawValue: self["placement"] ?? "")))
      let request = HTTPRequest(
        method: try #require(self["method"]), url: try #require(self["url"]),
        headers: self["contentType"].map { [HTTPHeader("Content-Type", $0)] } ?? [],
        body: self["body"].map { .bytes(Array($0.utf8)) } ?? .none)
      let token = self["token"].map { OAuth1Fixture.token($0, self["tokenSecret"] ?? "") }
      return OAuth1Request(
        request, client: client, token: token, nonce: try #require(self["nonce"]),
        timestamp: Int64(try #require(json["timestamp"]?.integer)))
    }
  }

  private func vectors() throws -> (pkcs1: Secret, pkcs8: Secret, all: [Vector]) {
    let json = try JSON.parse(OAuth1Fixture.file("oauthlib.json"))
    return (
      Secret(try #require(json["pkcs1"]?.string)), Secret(try #require(json["pkcs8"]?.string)),
      try #require(json["vectors"]?.array).map(Vector.init)
    )
  }

  /// Sorts by names and values, because two writers may use different orders.
  private func sorted(_ parameters: [(String, String)]) -> [String] { parameters.map { "\($0.0)=\($0.1)" }.sorted() }

  private func headerParameters(_ header: String?) -> [String] {
    sorted(OAuth1Challenge.parameters(header ?? "").map { ($0.name, $0.value) })
  }

  private func queryParameters(_ url: String?) throws -> [String] {
    sorted(FormEncoding.decodeLeniently(try URLParts(try #require(url)).query ?? ""))
  }

  @Test func baseStrings() throws {
    let (pem, _, vectors) = try vectors()
    let key = try RSAPrivateKey(pem: pem)
    var count = 0
    for vector in vectors {
      guard let wanted = vector["baseString"] else { continue }
      let draft = try OAuth1Draft(vector.request(key: key))
      #expect(String(decoding: draft.baseString.bytes, as: UTF8.self) == wanted, vector.comment)
      count += 1
    }
    #expect(count > 300)
  }

  @Test func signedRequests() throws {
    let (pkcs1, pkcs8, vectors) = try vectors()
    let keys = [try RSAPrivateKey(pem: pkcs1), try RSAPrivateKey(pem: pkcs8)]
    for (index, vector) in vectors.enumerated() {
      let signed = try vector.request(key: keys[index % 2]).signed()
      switch vector["placement"] {
      case "header":
        let wanted = headerParameters(vector["authorization"])
        #expect(wanted.contains { $0.hasPrefix("oauth_signature=") }, vector.comment)
        #expect(headerParameters(signed.authorization) == wanted, vector.comment)
        #expect(signed.bodyText == vector["body"], vector.comment)
      case "query":
        #expect(try queryParameters(signed.url) == queryParameters(vector["signedURL"]), vector.comment)
        #expect(signed.authorization == nil, vector.comment)
      default:
        let wanted = FormEncoding.decodeLeniently(try #require(vector["signedBody"]))
        #expect(sorted(FormEncoding.decodeLeniently(try #require(signed.bodyText))) == sorted(wanted), vector.comment)
        #expect(signed.authorization == nil, vector.comment)
      }
    }
  }

  @Test func theVectorsHaveEveryMethodAndPlacement() throws {
    let (_, _, vectors) = try vectors()
    for method in SignatureMethod.allCases {
      #expect(vectors.contains { $0["signatureMethod"] == method.rawValue }, "\(method.rawValue)")
    }
    for place in SignaturePlacement.allCases {
      #expect(vectors.contains { $0["placement"] == place.rawValue }, "\(place.rawValue)")
    }
  }
}
