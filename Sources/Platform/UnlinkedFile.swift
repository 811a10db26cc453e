/// A file without a name (open(2), `O_TMPFILE`). The kernel frees it when the process ends, even if it is killed.
package enum UnlinkedFile {
  #if canImport(Glibc)
    /// Glibc's `O_TMPFILE`, a macro that Swift cannot import: `__O_TMPFILE | O_DIRECTORY`. The former is the same on all machines that Swift
    /// supports.
    private static let flag: Int32 = 0o20_000_000 | O_DIRECTORY

    /// Opens a nameless file for its owner alone in an open folder.
    /// Returns nil if the file system doesn't support that, or if the file could not be given a name later.
    package static func open(in folder: Int32) -> Int32? {
      let descriptor = openat(folder, ".", flag | O_WRONLY | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { return nil }
      guard access(link(to: descriptor), F_OK) == 0 else {
        close(descriptor)
        return nil
      }
      return descriptor
    }

    /// Names the file. Returns false with `errno` on failure, for example if the name exists.
    package static func name(_ descriptor: Int32, _ folder: Int32, _ name: String) -> Bool {
      linkat(AT_FDCWD, link(to: descriptor), folder, name, AT_SYMLINK_FOLLOW) == 0
    }

    /// Every user may link a file through this path. Linking the descriptor directly needs CAP_DAC_READ_SEARCH (linkat(2), `AT_EMPTY_PATH`).
    private static func link(to descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }
  #else
    package static func open(in folder: Int32) -> Int32? { nil }
    package static func name(_ descriptor: Int32, _ folder: Int32, _ name: String) -> Bool { false }
  #endif
}
