/// A file without a name (open(2), `O_TMPFILE`). The kernel frees it when the process ends, even if it is killed.
package enum UnlinkedFile {
  #if canImport(Glibc)
    /// Glibc's `O_TMPFILE`, a macro that Swift cannot import: `__O_TMPFILE | O_DIRECTORY`. The former is the same on all machines that Swift
    /// supports.
    private static let flag: Int32 = 0o20_000_000 | O_DIRECTORY

    /// Opens a nameless file for its owner alone in `folder`; empty means the current folder.
    /// Returns nil if the file system doesn't support that, or if the file could not be given a name later.
    package static func open(in folder: String) -> Int32? {
      let descriptor = systemOpen(folder.isEmpty ? "." : folder, flag | O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      guard access(link(to: descriptor), F_OK) == 0 else {
        close(descriptor)
        return nil
      }
      return descriptor
    }

    /// Names the file. Returns false with `errno` on failure, for example if the name exists.
    package static func name(_ descriptor: Int32, _ path: String) -> Bool {
      linkat(AT_FDCWD, link(to: descriptor), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
    }

    /// Every user may link a file through this path. Linking the descriptor directly needs CAP_DAC_READ_SEARCH (linkat(2), `AT_EMPTY_PATH`).
    private static func link(to descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }
  #else
    package static func open(in folder: String) -> Int32? { nil }
    package static func name(_ descriptor: Int32, _ path: String) -> Bool { false }
  #endif
}

#if canImport(Glibc)
  /// Calls `open(2)`. `UnlinkedFile.open` would hide that name.
  private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o600) }
#endif
