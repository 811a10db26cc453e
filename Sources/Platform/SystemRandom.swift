/// The system's cryptographic source.
package enum SystemRandom {
  @Sendable package static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    // Each number costs a system call, so all of its eight bytes are used.
    while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0.prefix(count - bytes.count)) } }
    return bytes
  }
}
