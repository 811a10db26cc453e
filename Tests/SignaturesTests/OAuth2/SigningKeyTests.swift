import Crypto
import Jansson
import OAuthCore
import TestSupport
import Testing

@testable import Signatures

/// RFC 7515, 7517, 7638 and 8037, and keys that openssl made.
struct SigningKeyTests {
  /// The payload of all examples in RFC 7515, A.1 to A.5.
  private static let payload = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

  /// RFC 7515, A.2.
  private static let rsa: JSON = [
    "kty": "RSA", "e": "AQAB",
    "n": .string(
      "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1"
        + "W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQ"
        + "Y4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"),
    "d": .string(
      "Eq5xpGnNCivDflJsRQBXHx1hdR1k6Ulwe2JZD50LpXyWPEAeP88vLNO97IjlA7_GQ5sLKMgvfTeXZx9SE-7YwVol2NXOoAJe46sui395IW_GO-pWJ1O0Bk"
        + "TGoVEn2bKVRUCgu-GjBVaYLU6f3l9kJfFNS3E0QbVdxzubSu3Mkqzjkn439X0M_V51gfpRLI9JYanrC4D4qAdGcopV_0ZHHzQlBjudU2QvXt4ehNYTCBr6"
        + "XCLQUShb1juUO1ZdiYoFaFQT5Tw8bGUl_x_jTj3ccPDVZFD9pIuhLhBOneufuBiB4cS98l2SR_RQyGWSeWjnczT0QU91p1DhOVRuOopznQ"),
    "p": .string(
      "4BzEEOtIpmVdVEZNCqS7baC4crd0pqnRH_5IB3jw3bcxGn6QLvnEtfdUdiYrqBdss1l58BQ3KhooKeQTa9AB0Hw_Py5PJdTJNPY8cQn7ouZ2KKDcmnPGBY"
        + "5t7yLc1QlQ5xHdwW1VhvKn-nXqhJTBgIPgtldC-KDV5z-y2XDwGUc"),
    "q": .string(
      "uQPEfgmVtjL0Uyyx88GZFF1fOunH3-7cepKmtH4pxhtCoHqpWmT8YAmZxaewHgHAjLYsp1ZSe7zFYHj7C6ul7TjeLQeZD_YwD66t62wDmpe_HlB-TnBA-n"
        + "jbglfIsRLtXlnDzQkv5dTltRJ11BKBBypeeF6689rjcJIDEz9RWdc"),
  ]
  /// RFC 7515, A.3.
  private static let p256: JSON = [
    "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
  ]
  /// RFC 8037, A.1.
  private static let ed25519: JSON = [
    "kty": "OKP", "crv": "Ed25519", "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  ]

  private static let sec1 = """
    -----BEGIN EC PARAMETERS-----
    BggqhkjOPQMBBw==
    -----END EC PARAMETERS-----
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEINXDCL/FhbKlkMOeFluutL2LO/INikJhAFlByfodmz5EoAoGCCqGSM49
    AwEHoUQDQgAEgd2kAR8tIFVYbR+pAGd38l2AgS3NtEZq3ugacp83J6GzDPIdUjHe
    4IkLhAJCrJMb5l433M9K7q/wseQ62kcEPw==
    -----END EC PRIVATE KEY-----
    """

  private static let pkcs8 = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1cMIv8WFsqWQw54W
    W660vYs78g2KQmEAWUHJ+h2bPkShRANCAASB3aQBHy0gVVhtH6kAZ3fyXYCBLc20
    Rmre6BpynzcnobMM8h1SMd7giQuEAkKskxvmXjfcz0rur/Cx5DraRwQ/
    -----END PRIVATE KEY-----
    """

  private static let p384 = """
    -----BEGIN EC PRIVATE KEY-----
    MIGkAgEBBDDQ/9xeRGBCpPeUVgEvARcpapEcUw4gI7dapC51BIVuHhv4BUSNXDNX
    XojTKFQt3JugBwYFK4EEACKhZANiAATyystGEjr8QAjlEiZmRRWNfvxacMC3Gmxs
    9lgMunffF8pjUEj2qKeom9P9hEBQkN0G6NmAkeCT+N/4QbDy7dU5lrMBx2QCCFxl
    dqtF7os5PzZGcnmRvdyQAW7b8jnJENk=
    -----END EC PRIVATE KEY-----
    """

  private static let ed = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIHEKh8Z2QnqMmyIh5DfAJO89zJUUW3XNVnHCh1uqZDwX
    -----END PRIVATE KEY-----
    """

  private static let encrypted = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgBhP3qoadoLwICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEECq0dfdlo3ibIP3A9O09oBMEQDyT
    DZR83hNbDb195fL5PEQmJlOfdwpboFRqLzLEjz2Sn0P7H0I1AlUqvDcuGRWzMdRu
    E046UUiPOI3cHu/1l7Q=
    -----END ENCRYPTED PRIVATE KEY-----
    """

  private static let encryptedSEC1 = """
    -----BEGIN EC PRIVATE KEY-----
    Proc-Type: 4,ENCRYPTED
    DEK-Info: AES-128-CBC,48A2D8EDFC4FCDC1A1A2C8D1A143ECF4

    SDEaTR1uT4Hkw6d0v4n6ZZdXxTbaOuGvr2SEJt5rih0e91IsKqCKcF6yXa3+sMvw
    8DHy+QxtkCfqNi4Xw0JQzWz0TRaqU5NIh2bA5Q930P65fi2xzrTN6WsU6qj0YM0W
    3Lz0AS6jKShQExUdT3nWzaFWTZHigC3ADHzeLZ3NwEE=
    -----END EC PRIVATE KEY-----
    """

  private static let publicKey = """
    -----BEGIN PUBLIC KEY-----
    MCowBQYDK2VwAyEAx2FPF63Mmcw4AOOuIIWTsETR9VUgak5MUWw9mkmYgZw=
    -----END PUBLIC KEY-----
    """

  private static let short = """
    -----BEGIN RSA PRIVATE KEY-----
    MIICXQIBAAKBgQC8LuCODXpHRVEZOFHYgA1krMQdzswixM3A5ltpg9SAhC4X7fdC
    NsleN5GBqXTB0SGFYRqELaHUjFSHDrlze5m1qGFAn0VQw89MvsJacYMcojM7qoA5
    f7MIiU7FRpVbur+QxEC/5bqMqkPmhAbbpI+aQulvlLwmsjHezNmQ1eLBIwIDAQAB
    AoGBAKUfdQbwqJUVK743fwm8AwSN3GBTbygrDGfxOdDyTmqekVuKAWZmcHdtxw3B
    RaQz/3fr5rqI1/GLWThRIUVF9W7BcN/NZOpfaIe25w1/CtGESGIZAYlB4HbDN/KL
    /qyUx+F5wwcpy/IBCWuMcRsTZ/PFUGQuyOJ2d2fYJWafXyxBAkEA4yBwRueiRL8w
    FJTPbZiVDdRSV8wgjcIEXXvdOIEFDPEN8w0sZA9s6TKZQc5mhlUeG01QbpzrOxKG
    07ksprGucwJBANQbERSriL6RJzM0/lBr+5qhWx7Q5hmrdb6eyXH/QLLlut/s7GdK
    pcFRxxpCUxrQWdpmD/aeFSgkCxOJlPHmxpECQBshAMg3WraDb6bFr5ETrJoeRkee
    ZjUIe6T+6omZP5UwJc5mQGsjPIsONCgcEzrwZ8wzC+xqad6AdAJOF/tBNekCQDeh
    hcBbITmCTrrCinVDbTFoYsLZXZCcBPzjHsjUfv6s/G+g73xD+ueScFs1zCA7R2Xd
    4Q/49Gmb0n/kVPmBYtECQQDaMuBUa1WxzV1Xoi+7DICpbR6fWQfiXTfrGsGtK56q
    kjBx8bUFFmLqOmOYt5xYPiiZmZpmJVXQ6X2kLMlv0tx0
    -----END RSA PRIVATE KEY-----
    """

  private static let p521 = """
    -----BEGIN EC PRIVATE KEY-----
    MIHcAgEBBEIArCweV6nyHg2kbyC1dXI84H1w6vVxtskKbpaNm9JVwonkK3Owr5XG
    hWueEji/YhKsOOjj8HmdNTgN9Prq5C/taGKgBwYFK4EEACOhgYkDgYYABABWTfME
    bPafd7w8Z3d6Rqyj4ttA8gC/ueJ0Xh+HZnHU5yoC0VTPicUiEB/4HStrobzhI9ed
    92isIwsKyGIfKWK5SwE+wuEorlY+e5CEP6QYK0aPCrBDSL5EPU7ByZ7Irm/yda6O
    lDJoK6Ckrrsjf3sv71i9ZxEmDGg0F2IFanzNDUB3bw==
    -----END EC PRIVATE KEY-----
    """

  private static let x25519 = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VuBCIEIEBwYfFvZ3awxWCZyKVOZ09+79tBF7Ni2aiQmApCSRpi
    -----END PRIVATE KEY-----
    """

  private func key(_ json: JSON, _ more: [JSON.Member] = [], algorithm: String? = nil) throws -> SigningKey {
    let members = (json.members ?? []).filter { member in !more.contains { $0.name == member.name } }
    return try SigningKey(Secret(String(decoding: JSON.object(members + more).text, as: UTF8.self)), algorithm: algorithm)
  }

  private func refusal(_ text: String, algorithm: String? = nil) -> String {
    do {
      _ = try SigningKey(Secret(text), algorithm: algorithm)
      return ""
    } catch {
      return error["path"] == "/privateKey" ? error.message : "not about the key"
    }
  }

  @Test func rs256() throws {
    let key = try key(Self.rsa)
    let signature = try key.sign(Array("eyJhbGciOiJSUzI1NiJ9.\(Self.payload)".utf8))
    #expect(
      Base64.encodeURL(signature)
        == "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujG"
        + "bds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12j"
        + "zDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw")
    #expect(key.publicKey["n"] == Self.rsa["n"])
  }

  /// RFC 8037, A.3 and A.4.
  @Test func edDSA() throws {
    let key = try key(Self.ed25519)
    #expect(key.thumbprint == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    let token = JSONWebToken(header: [.init("alg", "EdDSA")], claims: [])
    #expect(token.input == Array("eyJhbGciOiJFZERTQSJ9.e30".utf8))
    let signature = try key.sign(Array("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".utf8))
    #expect(Base64.encodeURL(signature) == "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg")
  }

  /// Every key signs what its public JWK verifies, also after it was written as PEM.
  @Test(arguments: [JSONWebAlgorithm.rs256, .ps256, .es256, .es384, .es512, .edDSA])
  func whatANewKeySignsVerifies(algorithm: JSONWebAlgorithm) throws {
    let new = try #require(SigningKey.generated(algorithm: algorithm))
    let read = try SigningKey(new.pem, algorithm: algorithm.rawValue)
    #expect(read.thumbprint == new.thumbprint)
    let token = try JSONWebSignature(JSONWebToken.signed([.init("sub", "a")], header: [.init("kid", "k")], by: read))
    #expect(token.keyId == "k")
    #expect(token.isMade(by: try #require(JSONWebKey(new.publicKey))))
  }

  @Test(arguments: JSONWebAlgorithm.allCases)
  func aSecret(algorithm: JSONWebAlgorithm) throws {
    let token = JSONWebToken(header: [.init("alg", .string(algorithm.rawValue))], claims: [.init("sub", "a")])
    let code = algorithm.code(of: token.input, by: Secret("secret"))
    #expect(code?.count == (algorithm.needsSecret ? algorithm.signatureLength : nil))
    let signature = try JSONWebSignature(token.compact(code ?? [1]))
    #expect(signature.isMade(bySecret: Secret("secret")) == algorithm.needsSecret)
    #expect(!signature.isMade(bySecret: Secret("another")))
  }

  @Test func formsOfAKey() throws {
    let sec1 = try SigningKey(Secret(Self.sec1))
    #expect(sec1.algorithm == .es256)
    let pkcs8 = try SigningKey(Secret("Bag Attributes\n  friendlyName: a\n" + Self.pkcs8))
    #expect(pkcs8.thumbprint == sec1.thumbprint)
    // As a variable of a container or of a CI job has it.
    for lineEnd in ["\\n", " ", "\r\n", "", "\\r\\n"] {
      let text = Self.pkcs8.split(separator: "\n").joined(separator: lineEnd)
      #expect(try SigningKey(Secret("\n \(text)\(lineEnd)")).thumbprint == sec1.thumbprint, "\(lineEnd)")
    }
    #expect(try SigningKey(Secret(Self.p384)).algorithm == .es384)
    #expect(try SigningKey(Secret(Self.p521)).algorithm == .es512)
    #expect(try SigningKey(Secret(Self.ed)).algorithm == .edDSA)
    // RFC 8410, 10.3: with its attributes and its public key.
    let whole = """
      -----BEGIN PRIVATE KEY-----
      MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
      oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB
      Z9w7lshQhqowtrbLDFw4rXAxZuE=
      -----END PRIVATE KEY-----
      """
    #expect(try SigningKey(Secret(whole)).publicKey["x"] == "Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE")
  }

  @Test func theAlgorithm() throws {
    #expect(try key(Self.rsa).algorithm == .rs256)
    #expect(try key(Self.rsa, [.init("alg", "PS256"), .init("kid", "mine")]).algorithm == .ps256)
    #expect(try key(Self.rsa, [.init("kid", "mine")]).id == "mine")
    #expect(try key(Self.rsa, [.init("alg", "PS256")], algorithm: "RS256").algorithm == .rs256)
    #expect(refusal(Self.ed, algorithm: "ES256") == "the private key cannot sign with ES256: set signingAlgorithm to EdDSA")
    #expect(throws: OAuthFailure.self) { try key(Self.rsa, [.init("alg", "RSA-OAEP")]) }
  }

  @Test func keysThatCannotSign() throws {
    for text in [Self.encrypted, Self.encryptedSEC1] { #expect(refusal(text).contains("openssl pkey -in FILE -out NEW")) }
    #expect(refusal(Self.publicKey).hasPrefix("the private key is a PUBLIC KEY, which cannot sign"))
    #expect(refusal(Self.publicKey.replacing("PUBLIC KEY", with: "CERTIFICATE")).contains("is a CERTIFICATE, which cannot sign"))
    #expect(refusal(Self.pkcs8.replacing("PRIVATE", with: "DSA PRIVATE")).contains("is a PEM block named DSA PRIVATE KEY"))
    #expect(refusal(Self.short).contains("less than 2048 bits"))
    #expect(refusal(Self.x25519).contains("RSA, P-256, P-384, P-521 and Ed25519 can sign"))
    #expect(refusal("hello").contains("is neither PEM nor a JWK"))
    #expect(refusal(Self.pkcs8.replacing("MIGH", with: "!!!!")).contains("not base64"))
    #expect(refusal("{").contains("not valid JSON"))
    #expect(refusal("{}").contains("without kty"))
    #expect(refusal(String(repeating: "x", count: 20_000)).contains("longer than"))
    func changed(_ json: JSON, without name: String, with more: [JSON.Member] = []) -> String {
      let members = (json.members ?? []).filter { $0.name != name } + more
      return refusal(String(decoding: JSON.object(members).text, as: UTF8.self))
    }
    #expect(changed(Self.p256, without: "d").contains("is a public JWK, which cannot sign"))
    #expect(changed(Self.rsa, without: "p").contains("lacks n, e, p or q"))
    #expect(changed(Self.rsa, without: "p", with: [.init("p", "AA")]).contains("cannot be read"))
    #expect(changed(Self.p256, without: "crv", with: [.init("crv", "P-521")]).contains("cannot be read"))
    #expect(changed(Self.p256, without: "x", with: [.init("x", "AAAA")]).contains("x belongs to another key"))
  }

  /// No message, and no way to print the key, has a part of it.
  @Test func aKeyNeverPrints() throws {
    let key = try key(Self.p256)
    #expect("\(key)" == "…")
    var dumped = ""
    dump(key, to: &dumped)
    #expect(!dumped.contains("jpsQ"))
    #expect(!refusal(Self.pkcs8.replacing("MIGH", with: "MIGI")).contains("MIGI"))
  }
}
