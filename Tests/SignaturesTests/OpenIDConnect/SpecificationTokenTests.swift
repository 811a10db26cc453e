import Jansson
import TestSupport
import Testing

@testable import OAuthCore
@testable import Signatures

/// The examples in the specifications.
struct SpecificationTokenTests {
  /// The payload of all examples in RFC 7515, A.1 to A.5.
  private static let payload = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

  private static let rsaKey: JSON = [
    "kty": "RSA", "e": "AQAB",
    "n": .string(
      "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOW"
        + "vG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9k"
        + "G4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"),
  ]

  /// RFC 7515, A.2.
  @Test func rs256() throws {
    let token = Secret(
      "eyJhbGciOiJSUzI1NiJ9.\(Self.payload).cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujG"
        + "bds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12j"
        + "zDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw")
    let signature = try JSONWebSignature(token)
    #expect(try signature.isMade(by: #require(JSONWebKey(Self.rsaKey))))
    #expect(try JSON.parse(signature.payload)["iss"] == "joe")
  }

  /// RFC 7515, A.3.
  @Test func es256() throws {
    let key: JSON = [
      "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    ]
    let token = Secret(
      "eyJhbGciOiJFUzI1NiJ9.\(Self.payload).DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")
    #expect(try JSONWebSignature(token).isMade(by: #require(JSONWebKey(key))))
  }

  /// RFC 8037, A.4 (with the key of A.2).
  @Test func edDSA() throws {
    let key: JSON = ["kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"]
    let token = Secret(
      "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvp"
        + "Ar_MuM0KAg")
    let signature = try JSONWebSignature(token)
    #expect(try signature.isMade(by: #require(JSONWebKey(key))))
    #expect(String(decoding: signature.payload, as: UTF8.self) == "Example of Ed25519 signing")
  }

  /// RFC 7515, A.1: a correct signature of a kind that proves nothing about an issuer.
  @Test func hs256() throws {
    let token = Secret("eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(Self.payload).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    let signature = try JSONWebSignature(token)
    #expect(signature.algorithm?.needsSecret == true)
    let key = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
    #expect(JSONWebKey(["kty": "oct", "k": .string(key)]) == nil)
  }

  /// RFC 7515, A.5 and E.
  @Test func unsecured() {
    #expect(distrust { try JSONWebSignature(Secret("eyJhbGciOiJub25lIn0.\(Self.payload).")) } == "the ID token is not signed")
    let critical =
      "eyJhbGciOiJub25lIiwNCiAiY3JpdCI6WyJodHRwOi8vZXhhbXBsZS5jb20vVU5ERUZJTkVEIl0sDQogImh0dHA6Ly9leGFtcGxlLmNvbS9VTkRFRklORUQiOnRydWUNCn0"
    #expect(distrust { try JSONWebSignature(Secret("\(critical).RkFJTA.")) }?.contains("extension") == true)
  }

  /// OpenID Connect Core, A.4: the access token and its hash.
  @Test func accessTokenHash() {
    let hash = JSONWebAlgorithm.rs256.leftHalf(ofHashOf: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
    #expect(Base64.encodeURL(hash) == "77QmUPtjPfzWtF2AnpK9RQ")
    #expect(JSONWebAlgorithm.es384.leftHalf(ofHashOf: "x").count == 24)
    #expect(JSONWebAlgorithm.edDSA.leftHalf(ofHashOf: "x").count == 32)
  }

  /// RFC 7517, A.1: the first key is for encryption, the second for this algorithm.
  @Test func keySet() throws {
    let set: JSON = [
      "keys": [
        [
          "kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
          "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
          "use": "enc", "kid": "1",
        ],
        ["kty": "RSA", "n": Self.rsaKey["n"] ?? .null, "e": "AQAB", "alg": "RS256", "kid": "2011-04-29"],
      ]
    ]
    let keys = try JSONWebKeySet(set.text)
    #expect(keys.keys.map(\.id) == ["2011-04-29"])
  }
}
