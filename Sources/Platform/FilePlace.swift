/// A file by its open folder and its name there. The folder stays the same one if a part of the path is exchanged meanwhile.
package final class FilePlace: Sendable {
  package let folder: Int32
  package let name: String

  /// Opens the folder of the file at `path`. With `root`, the path starts in that open folder, does not lead out of it, and has no link.
  ///
  /// Splits bytes: a slash with a combining mark is one character, but still a slash for the system.
  package init(_ path: String, below root: Int32? = nil) throws(PosixFile.Fault) {
    let slash = UInt8(ascii: "/")
    var parts: ArraySlice<String>
    var open: Int32
    if let root {
      parts = path.utf8.split(separator: slash).map { String(Substring($0)) }.filter { $0 != "." }[...]
      guard !parts.contains("..") else { throw PosixFile.Fault(path: path, code: EACCES) }
      open = PosixFile.retry { openFolder(root, ".", followsLinks: false) }
    } else {
      let end = path.utf8.lastIndex(of: slash)
      parts = [String(path[(end.map(path.utf8.index(after:)) ?? path.startIndex)...])]
      open = PosixFile.retry { openFolder(AT_FDCWD, end.map { String(path[...$0]) } ?? ".", followsLinks: true) }
    }
    let last = parts.popLast() ?? ""
    name = last.isEmpty ? "." : last
    for part in parts where open >= 0 {
      let next = PosixFile.retry { openFolder(open, part, followsLinks: false) }
      let code = errno
      close(open)
      open = next
      errno = code
    }
    guard open >= 0 else { throw PosixFile.Fault(path: path, code: errno) }
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
