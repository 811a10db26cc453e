import Crypto

/// HMAC (RFC 2104) built on swift-crypto's hash functions. swift-crypto's own `HMAC` spends four times as long in generic code as in the hash.
///
/// The tests compare both for keys of every length around the block's.
enum KeyedHash<Hash: HashFunction> {
  package static func code(for message: [UInt8], key: [UInt8]) -> [UInt8] {
    let key = key.count > Hash.blockByteCount ? digest(of: key, nil) : key
    var block = [UInt8](repeating: 0x36, count: Hash.blockByteCount)
    for (index, byte) in key.enumerated() { block[index] ^= byte }
    let inner = digest(of: block, message)
    // Turns the inner padding into the outer one.
    for index in block.indices { block[index] ^= 0x36 ^ 0x5C }
    return digest(of: block, inner)
  }

  private static func digest(of part: [UInt8], _ rest: [UInt8]?) -> [UInt8] {
    var hash = Hash()
    part.withUnsafeBytes { hash.update(bufferPointer: $0) }
    rest?.withUnsafeBytes { hash.update(bufferPointer: $0) }
    return hash.finalize().withUnsafeBytes { Array($0) }
  }
}
