import Testing

@testable import OAuthCore

@Suite struct Base64Tests {
  /// RFC 4648 §10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func vectors(text: String, encoded: String) throws {
    let bytes = Array(text.utf8)
    let unpadded = String(encoded.prefix { $0 != "=" })
    #expect(Base64.encode(bytes) == encoded)
    #expect(Base64.encodeURL(bytes) == unpadded)
    #expect(try Base64.decode(encoded) == bytes)
    #expect(try Base64.decodeURL(unpadded) == bytes)
  }

  @Test func alphabets() throws {
    let bytes: [UInt8] = [0xFB, 0xEF, 0xBE, 0xFF, 0xFF, 0xFF]
    #expect(Base64.encode(bytes) == "++++////")
    #expect(Base64.encodeURL(bytes) == "----____")
    #expect(throws: Base64.Failure()) { try Base64.decode("----____") }
    #expect(throws: Base64.Failure()) { try Base64.decodeURL("++++") }
    for length in 0..<300 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ length) }
      #expect(try Base64.decode(Base64.encode(bytes)) == bytes)
      #expect(try Base64.decodeURL(Base64.encodeURL(bytes)) == bytes)
    }
  }

  @Test(arguments: [
    "Zg", "Zg=", "Z", "Zg==\n", "=", "====", "Z===", "=Zm8", "Zg==Zg==", "Zm 9", "Zm9\n", "Zmé", "Zh==", "Zm9=",
  ])
  func rejects(text: String) {
    #expect(throws: Base64.Failure()) { try Base64.decode(text) }
  }

  @Test(arguments: ["Z", "Zg==", "Zh", "Z.g"])
  func rejectsURLSafe(text: String) {
    #expect(throws: Base64.Failure()) { try Base64.decodeURL(text) }
  }
}
