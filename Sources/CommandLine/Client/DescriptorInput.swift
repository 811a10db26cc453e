import Platform

/// Reads from a file, a pipe or a terminal. Blocks the thread.
enum DescriptorInput {
  /// Returns all bytes up to the end. Returns nil with `errno` if reading fails, or with EFBIG if there are more than `limit` bytes.
  static func all(_ descriptor: Int32, limit: Int) -> [UInt8]? {
    var (found, piece): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 64 << 10))
    while true {
      let count = PosixFile.retry { Int32(truncatingIfNeeded: read(descriptor, &piece, piece.count)) }
      guard count > 0 else { return count == 0 ? found : nil }
      found += piece.prefix(Int(count))
      guard found.count <= limit else {
        errno = EFBIG
        return nil
      }
    }
  }
}
