import OAuthCore
import Platform

/// A file that gets its name only when it is complete. Only its owner can read it.
/// It replaces another file only if the caller allows that, and keeps that file's mode.
/// Until then it is a temporary file in the same folder.
package final class DownloadFile {
  private let path: String
  private let place: FilePlace
  private let overwrites: Bool
  /// The temporary file's name; nil once the file has its own.
  private var temporary: String?
  private let descriptor: Int32
  /// The part that this download continues; nil if it starts again.
  private var part: DownloadPart?

  /// Throws `HTTPFailure.file` if the folder is not writable.
  /// With `root`, the path starts in that open folder and has no link.
  /// With `resource`, which says what is downloaded, a download that breaks off leaves its part for the next one of the same resource.
  package init(path: String, overwrites: Bool, below root: Int32? = nil, resource: String? = nil) throws(HTTPFailure) {
    let place = try HTTPFailure.of(path) { () throws(PosixFile.Fault) in try FilePlace(path, below: root) }
    (self.path, self.place, self.overwrites) = (path, place, overwrites)
    try Self.check(place, path, overwrites)
    if let resource, DownloadPart.hasRoom(for: place.name) {
      let part = try HTTPFailure.of(path) { () throws(PosixFile.Fault) in try DownloadPart(of: place, resource: resource) }
      (self.part, descriptor, temporary) = (part, part.descriptor, part.name)
      return
    }
    // Doesn't contain the file's name: a name of 255 bytes is allowed and leaves no room.
    let temporary = ".oauth-stdio-\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
    // O_EXCL: fails if another program has created that name, for example as a link to another place.
    descriptor = openat(place.folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw HTTPFailure.file(path: path, errno: errno) }
    self.temporary = temporary
  }

  /// Returns the permissions of the existing file; nil if there is none. Rejects devices, pipes and links, which a rename would replace.
  @discardableResult
  private static func check(_ place: FilePlace, _ path: String, _ overwrites: Bool) throws(HTTPFailure) -> mode_t? {
    if let status = place.status {
      guard status.st_mode & S_IFMT == S_IFREG else { throw .file(path: path, reason: "it already exists and is not a regular file") }
      guard status.st_uid == geteuid() else { throw .file(path: path, reason: "it already exists and belongs to another user") }
      guard overwrites else { throw .exists(path: path) }
      return status.st_mode & 0o777
    }
    guard errno == ENOENT else { throw HTTPFailure.file(path: path, errno: errno) }
    return nil
  }

  /// The bytes of an earlier download.
  var first: Int { part?.first ?? 0 }
  /// The bytes of the whole file; nil unless a response continues it.
  var total: Int? { part?.total }
  var resumes: Bool { part != nil }
  var rangeHeaders: [HTTPHeader] { part?.rangeHeaders ?? [] }

  /// Prepares for the response's body. Returns false if it is a part other than the requested one.
  func begin(_ head: ResponseHead, from url: String) -> Bool { part?.begin(head, from: url) ?? true }

  /// Discards the bytes of an earlier download.
  package func forget() { part?.forget() }

  deinit {
    part?.clean(isFinished: temporary == nil)
    Descriptors.unlock(descriptor)
    if let temporary, part == nil { unlinkat(place.folder, temporary, 0) }
  }

  func write(_ piece: UnsafeRawBufferPointer) throws(HTTPFailure) { try check(PosixFile.write(piece, to: descriptor)) }

  package func write(_ bytes: [UInt8]) throws(HTTPFailure) { try check(bytes.withUnsafeBytes { PosixFile.write($0, to: descriptor) }) }

  private func check(_ code: Int32) throws(HTTPFailure) { guard code == 0 else { throw HTTPFailure.file(path: path, errno: code) } }

  /// Gives the complete file its name. Throws `HTTPFailure.file` if that fails, and leaves nothing behind.
  package func finish() throws(HTTPFailure) {
    // Checks again: another file may have been created during a long transfer.
    let mode = try Self.check(place, path, overwrites)
    // Readers of the old file must be able to read the new one.
    if let mode, fchmod(descriptor, mode) != 0 { throw HTTPFailure.file(path: path, errno: errno) }
    // Some file systems report a failed write only when the file is closed.
    let copy = dup(descriptor)
    guard copy >= 0, close(copy) == 0 else { throw HTTPFailure.file(path: path, errno: errno) }
    guard let temporary else { return }
    // The rename replaces an empty file of ours, and no file that another program has created since the check.
    if !overwrites {
      let placeholder = openat(place.folder, place.name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard placeholder >= 0 else { throw HTTPFailure.file(path: path, errno: errno) }
      close(placeholder)
    }
    guard renameat(place.folder, temporary, place.folder, place.name) == 0 else {
      let code = errno
      if !overwrites { unlinkat(place.folder, place.name, 0) }
      throw HTTPFailure.file(path: path, errno: code)
    }
    self.temporary = nil
  }
}

extension HTTPFailure {
  /// A failed system call on the file at `path`. The reason is the system's text in lower case, as in all messages.
  static func file(path: String, errno code: Int32) -> HTTPFailure {
    .file(path: path, reason: PosixFile.Fault(path: path, code: code).reason)
  }

  /// Does work on the file at `path`.
  package static func of<Value>(_ path: String, _ work: () throws(PosixFile.Fault) -> Value) throws(HTTPFailure) -> Value {
    do throws(PosixFile.Fault) { return try work() } catch { throw .file(path: path, reason: error.reason) }
  }
}
