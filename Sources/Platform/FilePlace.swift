import CPlatform
import Synchronization

/// A file by its open folder and its name there. The folder stays the same one if a part of the path is exchanged meanwhile.
package final class FilePlace: Sendable {
  package let folder: Int32
  package let name: String

  /// Opens the folder of the file at `path`. With `root`, the path starts in that open folder, does not lead out of it, and has no link.
  /// With `makes`, the process makes a file or a folder of its own there. Root then follows no link that another user could have made.
  ///
  /// Splits bytes: a slash with a combining mark is one character, but still a slash for the system.
  package init(_ path: String, below root: Int32? = nil, makes: Bool = false) throws(PosixFile.Fault) {
    let slash = UInt8(ascii: "/")
    var parts: ArraySlice<String>
    var open: Int32
    if root != nil || makes && geteuid() == 0 {
      parts = path.utf8.split(separator: slash).map { String(Substring($0)) }.filter { $0 != "." }[...]
      guard root == nil || !parts.contains("..") else { throw PosixFile.Fault(path: path, code: EACCES) }
      let start = root == nil && path.hasPrefix("/") ? "/" : "."
      open = PosixFile.retry { openFolder(root ?? AT_FDCWD, start, followsLinks: false) }
    } else {
      let end = path.utf8.lastIndex(of: slash)
      parts = [String(path[(end.map(path.utf8.index(after:)) ?? path.startIndex)...])]
      open = PosixFile.retry { openFolder(AT_FDCWD, end.map { String(path[...$0]) } ?? ".", followsLinks: true) }
    }
    let last = parts.popLast() ?? ""
    name = last.isEmpty ? "." : last
    for part in parts where open >= 0 {
      let next = PosixFile.retry { openFolder(open, part, followsLinks: root == nil && Self.isRootsAlone(open)) }
      let code = errno
      close(open)
      open = next
      errno = code
    }
    guard open >= 0 else {
      let isInTheWay = makes && geteuid() == 0 && errno == ENOTDIR
      throw PosixFile.Fault(path: path, code: errno, problem: isInTheWay ? "not a directory, or a link that root did not make" : nil)
    }
    folder = open
    // The name of a link is one of the folder's own, but what it leads to is not.
    if root != nil, let status, status.st_mode & S_IFMT == S_IFLNK { throw PosixFile.Fault(path: path, code: ELOOP) }
  }

  deinit { close(folder) }

  /// What is at the place, without following a link; nil if there is nothing or it cannot be examined. `errno` tells which.
  package var status: stat? {
    var status = stat()
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// Whether a link of this name may be followed: the process is not root's, or root alone can change the folder.
  package var mayBeFollowed: Bool { geteuid() != 0 || Self.isRootsAlone(folder) }

  /// Whether root alone can change what is in the folder. Its links are the system's, such as `/var/run`.
  private static func isRootsAlone(_ folder: Int32) -> Bool {
    var status = stat()
    return fstat(folder, &status) == 0 && status.st_uid == 0 && status.st_mode & 0o022 == 0
  }
}

/// Making files and folders, for their owner alone.
///
/// What root makes in the folder of another user is given to that user, whose programs could not use it otherwise. Root makes nothing there unless
/// the command line names the user.
extension FilePlace {
  private static let trusted = Mutex<Set<uid_t>>([])

  /// Lets root write in the folders of this user.
  package static func trust(_ user: uid_t) { trusted.withLock { _ = $0.insert(user) } }

  /// The folder of another user in which the process makes something as root; nil if it does not.
  package var other: stat? {
    var status = stat()
    return geteuid() == 0 && fstat(folder, &status) == 0 && status.st_uid != 0 ? status : nil
  }

  /// Makes the file, which must not exist. Returns its descriptor.
  package func makeFile(_ flags: Int32, _ path: String) throws(PosixFile.Fault) -> Int32 {
    try make(path) { openat(folder, name, flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
  }

  /// Opens the file. With `makes`, a missing one is made. Returns its descriptor.
  package func openFile(_ flags: Int32, _ path: String, makes: Bool) throws(PosixFile.Fault) -> Int32 {
    if makes { try checkTrust(path) }
    while true {
      let descriptor = PosixFile.retry { openat(folder, name, flags | O_CLOEXEC) }
      if descriptor >= 0 { return descriptor }
      guard errno == ENOENT, makes else {
        throw PosixFile.Fault(path: path, code: errno, problem: errno == ELOOP ? "it is a link" : nil)
      }
      do throws(PosixFile.Fault) { return try makeFile(flags, path) } catch { guard error.code == EEXIST else { throw error } }
    }
  }

  /// Opens the file to append to it, or makes it. Root then follows no link that another user could have made.
  package func openToAppend(_ path: String) throws(PosixFile.Fault) -> Int32 {
    let flags = O_WRONLY | O_APPEND | O_NONBLOCK
    guard mayBeFollowed else { return try openFile(flags | O_NOFOLLOW, path, makes: true) }
    let descriptor = PosixFile.retry { openat(folder, name, flags | O_CREAT | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else { throw PosixFile.Fault(path: path, code: errno) }
    return descriptor
  }

  func makeFolder(_ path: String) throws(PosixFile.Fault) {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    close(try make(path, isFolder: true) { mkdirat(folder, name, 0o700) == 0 ? openat(folder, name, flags) : -1 })
  }

  /// Rejects the folder of a user in which root may change nothing.
  package func checkTrust(_ path: String) throws(PosixFile.Fault) {
    if let other, !Self.trusted.withLock({ $0.contains(other.st_uid) }) { throw .ofOther(other.st_uid, path, "its folder") }
  }

  private func make(_ path: String, isFolder: Bool = false, _ work: () -> Int32) throws(PosixFile.Fault) -> Int32 {
    try checkTrust(path)
    let other = other
    let descriptor = PosixFile.retry(work)
    guard descriptor >= 0 else { throw PosixFile.Fault(path: path, code: errno) }
    // That user may have put another folder of root in the place of the new one.
    let isNew = !isFolder || (try? PosixFile.names(in: ".", of: descriptor))?.isEmpty == true
    guard let other, !isNew || fchown(descriptor, other.st_uid, other.st_gid) != 0 else { return descriptor }
    let code = isNew ? errno : EPERM
    close(descriptor)
    unlinkat(folder, name, isFolder ? AT_REMOVEDIR : 0)
    throw PosixFile.Fault(path: path, code: code)
  }
}

/// Opens a folder only to name files in it, which needs no permission to list it.
private func openFolder(_ folder: Int32, _ path: String, followsLinks: Bool) -> Int32 {
  #if canImport(Glibc)
    // O_PATH, which the C library defines by another macro.
    let mode: Int32 = 0o10_000_000
  #else
    let mode: Int32 = O_RDONLY
  #endif
  return openat(folder, path, mode | O_DIRECTORY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW))
}
