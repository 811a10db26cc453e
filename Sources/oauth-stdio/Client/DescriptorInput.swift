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
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    let count = PosixFile.retry { Int32(truncatingIfNeeded: read(descriptor, &piece, piece.count)) }
    return count >= 0 ? Array(piece.prefix(Int(count))) : nil
  }
}
