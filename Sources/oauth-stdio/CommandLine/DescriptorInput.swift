import Platform

/// Reads from a file, a pipe or a terminal.
enum DescriptorInput {
  /// Returns all bytes up to the end, or up to a piece that ends with `last`. Blocks the thread.
  /// Returns nil with `errno` if reading fails, or with EFBIG if there are more than `limit` bytes.
  static func all(_ descriptor: Int32, limit: Int = .max, until last: UInt8? = nil) -> [UInt8]? {
    var found: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while last == nil || found.last != last {
      let count = read(descriptor, &piece, piece.count)
      if count > 0 {
        found += piece[..<count]
      } else if count == 0 {
        return found
      } else if errno != EINTR {
        return nil
      }
      if found.count > limit {
        errno = EFBIG
        return nil
      }
    }
    return found
  }
}
