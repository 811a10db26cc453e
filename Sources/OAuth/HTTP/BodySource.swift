#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A request's body, read in pieces and from its start again where libcurl has to send it anew.
final class BodySource {
  private enum Source {
    case bytes([UInt8])
    case file(path: String, descriptor: Int32)
  }

  let size: Int
  private let source: Source
  private var offset = 0

  /// Nil for no body; throws `HTTPFailure.file` where the file can't be read.
  init?(_ body: HTTPRequest.Body) throws(HTTPFailure) {
    switch body {
    case .none: return nil
    case .bytes(let bytes): (source, size) = (.bytes(bytes), bytes.count)
    case .file(let path):
      // O_NONBLOCK: opening a pipe without a writer must not hold up every other exchange. Regular files don't heed it.
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw HTTPFailure.file(path: path, errno: errno) }
      var facts = stat()
      guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        throw .file(path: path, reason: "not a regular file")
      }
      (source, size) = (.file(path: path, descriptor: descriptor), Int(facts.st_size))
    }
  }

  deinit {
    if case .file(_, let descriptor) = source { close(descriptor) }
  }

  /// Puts the next bytes into `room` and answers how many; 0 is the end.
  func read(into room: UnsafeMutableRawBufferPointer) throws(HTTPFailure) -> Int {
    let count = min(room.count, size - offset)
    guard count > 0 else { return 0 }
    switch source {
    case .bytes(let bytes):
      room.copyBytes(from: bytes[offset..<offset + count])
      offset += count
      return count
    case .file(let path, let descriptor):
      var got = pread(descriptor, room.baseAddress, count, off_t(offset))
      while got < 0, errno == EINTR { got = pread(descriptor, room.baseAddress, count, off_t(offset)) }
      guard got >= 0 else { throw HTTPFailure.file(path: path, errno: errno) }
      // Its length has been promised to the server already.
      guard got > 0 else { throw .file(path: path, reason: "became shorter while it was sent") }
      offset += got
      return got
    }
  }

  /// Goes on from `position`; false where that lies outside.
  func seek(to position: Int) -> Bool {
    guard (0...size).contains(position) else { return false }
    offset = position
    return true
  }
}
