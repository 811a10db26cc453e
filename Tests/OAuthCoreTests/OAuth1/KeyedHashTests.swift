import Crypto
import Testing

@testable import OAuthCore

struct KeyedHashTests {
  /// Key lengths around each block size, where a key is padded, used unchanged or hashed.
  @Test func itIsSwiftCryptosForKeysOfEveryLength() {
    for length in 0...260 {
      let key = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ length) }
      let message = key.reversed() + [UInt8](repeating: 0xA5, count: length % 5)
      #expect(KeyedHash<Insecure.SHA1>.code(for: message, key: key) == Self.code(Insecure.SHA1.self, message, key))
      #expect(KeyedHash<SHA256>.code(for: message, key: key) == Self.code(SHA256.self, message, key))
      #expect(KeyedHash<SHA512>.code(for: message, key: key) == Self.code(SHA512.self, message, key))
    }
  }

  private static func code<Hash: HashFunction>(_: Hash.Type, _ message: [UInt8], _ key: [UInt8]) -> [UInt8] {
    Array(HMAC<Hash>.authenticationCode(for: message, using: SymmetricKey(data: key)))
  }
}
