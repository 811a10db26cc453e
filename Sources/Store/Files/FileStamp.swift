import Platform

/// Identifies one version of a file. Every write creates a new file, so the stamp of a replaced file differs.
/// Owner and mode belong to it, because a file that they make unusable must be read again.
package struct FileStamp: Hashable, Sendable, CustomStringConvertible {
  let inode: UInt64
  let size: Int64
  package let seconds: Int
  let nanoseconds: Int
  let owner: UInt32
  let mode: UInt32
  /// When the file was last changed in any way, in nanoseconds since 1970. Unlike the time of modification, no program sets it.
  let changed: Int

  /// The stamp as a text that differs whenever the stamp does.
  package var description: String { "\(inode) \(size) \(seconds) \(nanoseconds) \(owner) \(mode) \(changed)" }

  /// Whether every later write has another stamp. Writes within a tick of the file system's clock, of at most a second, have the same time.
  var isSettled: Bool { Clock.system.now - changed / 1_000_000_000 > 1 }

  /// Returns nil if there is no file. A folder that cannot be searched is an error.
  /// With `root`, the path is relative to that open folder, which `folder` names in the error.
  static func of(_ path: String, in root: Int32 = AT_FDCWD, _ folder: String? = nil) throws(PosixFile.Fault) -> FileStamp? {
    var status = stat()
    if fstatat(root, path, &status, 0) == 0 { return FileStamp(status) }
    guard errno == ENOENT else { throw PosixFile.Fault(path: folder.map { "\($0)/\(path)" } ?? path, code: errno) }
    return nil
  }

  /// Returns the same, and nil for a file that cannot be examined.
  package static func ifAny(_ path: String) -> FileStamp? { (try? of(path)) ?? nil }

  init(_ status: stat) {
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    (owner, mode) = (UInt32(status.st_uid), UInt32(status.st_mode))
    #if canImport(Glibc)
      let (modification, change) = (status.st_mtim, status.st_ctim)
    #else
      let (modification, change) = (status.st_mtimespec, status.st_ctimespec)
    #endif
    (seconds, nanoseconds) = (modification.tv_sec, modification.tv_nsec)
    changed = change.tv_sec * 1_000_000_000 + change.tv_nsec
  }
}
