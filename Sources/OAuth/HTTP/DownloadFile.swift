#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that stands under its name only once it is whole, readable by its owner alone. It replaces another file only where that is wanted, and takes
/// over its mode.
///
/// Until then it has no name where the file system can do that, so that nothing is left of it when the process is killed; elsewhere it is written
/// beside its place and renamed at the end.
final class DownloadFile {
  private let path: String
  private let overwrites: Bool
  /// nil as long as the file has no name.
  private var temporary: String?
  /// -1 once closed.
  private var descriptor: Int32

  /// Throws `HTTPFailure.file` where the folder can't be written to. `isNamed` has the file named from the start.
  init(path: String, overwrites: Bool, isNamed: Bool = false) throws(HTTPFailure) {
    try Self.check(path, overwrites)
    (self.path, self.overwrites) = (path, overwrites)
    if !isNamed, let nameless = NamelessFile.open(in: Self.folder(of: path)) {
      descriptor = nameless
      return
    }
    let temporary = Self.hiddenName(beside: path)
    // O_EXCL: a name that someone else has laid there, as a link to elsewhere, is refused.
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw HTTPFailure.file(path: path, errno: errno) }
    self.temporary = temporary
  }

  /// With its slash at the end; empty where the path has none.
  private static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
  }

  /// The name's own length is kept out of it: a name of 255 bytes is allowed and leaves no room.
  private static func hiddenName(beside path: String) -> String {
    "\(folder(of: path)).oauth-stdio-\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
  }

  /// A rename would put a plain file in the place of a device, a pipe or a link.
  /// Gives who may do what with the file that is there; nil where there is none.
  @discardableResult
  private static func check(_ path: String, _ overwrites: Bool) throws(HTTPFailure) -> mode_t? {
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { throw .file(path: path, reason: "it is there already and no plain file") }
      guard status.st_uid == geteuid() else { throw .file(path: path, reason: "it is there already and belongs to another user") }
      guard overwrites else { throw .file(path: path, reason: "it is there already; overwrite:true replaces it") }
      return status.st_mode & 0o777
    }
    guard errno == ENOENT else { throw HTTPFailure.file(path: path, errno: errno) }
    return nil
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    if let temporary { unlink(temporary) }
  }

  func write(_ piece: UnsafeRawBufferPointer) throws(HTTPFailure) {
    var rest = piece[...]
    while !rest.isEmpty {
      let count = systemWrite(descriptor, rest.base.baseAddress.map { $0 + rest.startIndex }, rest.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw HTTPFailure.file(path: path, errno: errno)
      }
    }
  }

  func write(_ bytes: [UInt8]) throws(HTTPFailure) {
    let result = bytes.withUnsafeBytes { bytes in Result { () throws(HTTPFailure) in try write(bytes) } }
    try result.get()
  }

  /// Puts the whole file under its name; throws `HTTPFailure.file`, and nothing is left behind, where that can't be done.
  func finish() throws(HTTPFailure) {
    // Looked at again, since a long transfer leaves time for something else to be put there.
    let mode = try Self.check(path, overwrites)
    // Who could read the old file expects to read the new one.
    if let mode, fchmod(descriptor, mode) != 0 { throw HTTPFailure.file(path: path, errno: errno) }
    if temporary == nil {
      // Some file systems tell only when a file is closed that they could not write it.
      let copy = dup(descriptor)
      guard copy >= 0, close(copy) == 0 else { throw HTTPFailure.file(path: path, errno: errno) }
      if mode == nil {
        if NamelessFile.name(descriptor, path) {
          close(descriptor)
          descriptor = -1
          return
        }
        guard overwrites || errno != EEXIST else { throw HTTPFailure.file(path: path, errno: EEXIST) }
      }
      // A link replaces nothing, a rename does.
      let name = Self.hiddenName(beside: path)
      guard NamelessFile.name(descriptor, name) else { throw HTTPFailure.file(path: path, errno: errno) }
      temporary = name
    }
    let closed = close(descriptor)
    descriptor = -1
    guard let temporary, closed == 0, rename(temporary, path) == 0 else {
      let code = errno
      if let temporary { unlink(temporary) }
      throw HTTPFailure.file(path: path, errno: code)
    }
  }
}

/// `write(2)`, under a name that `DownloadFile.write` doesn't hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

extension HTTPFailure {
  /// A failed system call on the file at `path`, told in the system's words, in lower case as messages have it.
  static func file(path: String, errno code: Int32) -> HTTPFailure {
    .file(path: path, reason: PosixFile.Fault(path: path, code: code).reason)
  }
}
