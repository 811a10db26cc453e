import Platform

/// Reads from a file, a pipe or a terminal. Blocks the thread.
enum DescriptorInput {
  /// Returns all bytes up to the end. Returns nil with `errno` if reading fails, or with EFBIG if there are more than `limit` bytes.
  static func all(_ descriptor: Int32, limit: Int) -> [UInt8]? {
    var found: [UInt8] = []
    while let piece = piece(descriptor) {
      if piece.isEmpty { return found }
      found += piece
      if found.count > limit {
        errno = EFBIG
        return nil
      }
    }
    return nil
  }

  /// Returns the next bytes, none at the end, and nil with `errno` if reading fails.
  private static func piece(_ descriptor: Int32) -> [UInt8]? {
    var count: Int32 = 0
    // Zeroing the buffer first would touch 16 pages, and a command would take 3 % longer.
    let piece = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, initialized in
      count = PosixFile.retry { Int32(truncatingIfNeeded: read(descriptor, buffer.baseAddress, buffer.count)) }
      initialized = max(0, Int(count))
    }
    return count >= 0 ? piece : nil
  }
}
