import OAuthCore
import Platform

/// A request's body, read in pieces. libcurl rereads it from the start if it sends the request again.
final class BodySource {
  private enum Source {
    case bytes([UInt8])
    case file(path: String, descriptor: Int32)
    case supplied(HTTPRequest.Supply)
  }

  /// nil if it is unknown.
  let size: Int?
  private let source: Source
  private var offset = 0

  /// Returns nil for no body. Throws `HTTPFailure.file` if the file can't be read.
  /// With `root`, the path starts in that open folder and has no link.
  init?(_ body: HTTPRequest.Body, below root: Int32?) throws(HTTPFailure) {
    switch body {
    case .none: return nil
    case .bytes(let bytes): (source, size) = (.bytes(bytes), bytes.count)
    case .file(let path):
      // O_NONBLOCK: opening a pipe without a writer must not delay every other exchange. It has no effect on regular files.
      let descriptor = try HTTPFailure.of(path) { () throws(PosixFile.Fault) in try PosixFile.openForReading(path, below: root) }
      var facts = stat()
      guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        throw .file(path: path, reason: "not a regular file")
      }
      (source, size) = (.file(path: path, descriptor: descriptor), Int(facts.st_size))
    case .supplied(let supply): (source, size) = (.supplied(supply), supply.length)
    }
  }

  deinit { if case .file(_, let descriptor) = source { close(descriptor) } }

  /// Copies the next bytes into `room` and returns their number; 0 is the end, and nil means that there are none yet.
  func read(into room: UnsafeMutableRawBufferPointer) throws(HTTPFailure) -> Int? {
    let count = min(room.count, (size ?? .max) - offset)
    guard count > 0 else { return 0 }
    switch source {
    case .supplied(let supply):
      switch supply.read(UnsafeMutableRawBufferPointer(rebasing: room[..<count])) {
      case .bytes(let got):
        offset += got
        return got
      case .later: return nil
      case .end where size == nil: return 0
      // The server must not take what it has for the whole body.
      case .end, .failed: throw .cancelled
      }
    case .bytes(let bytes):
      room.copyBytes(from: bytes[offset..<offset + count])
      offset += count
      return count
    case .file(let path, let descriptor):
      let got = Int(PosixFile.retry { Int32(pread(descriptor, room.baseAddress, count, off_t(offset))) })
      guard got >= 0 else { throw HTTPFailure.file(path: path, errno: errno) }
      // The server has already received the body's length.
      guard got > 0 else { throw .file(path: path, reason: "it became shorter while it was sent") }
      offset += got
      return got
    }
  }

  /// Continues from `position`. Returns false if that is outside the body.
  func seek(to position: Int) -> Bool {
    if case .supplied(let supply) = source { guard position == 0, offset == 0 || supply.rewind() else { return false } }
    guard (0...(size ?? .max)).contains(position) else { return false }
    offset = position
    return true
  }
}
