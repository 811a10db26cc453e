#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that has no name yet (open(2), `O_TMPFILE`): the kernel takes it back when the process ends, however that happens.
enum NamelessFile {
  #if canImport(Glibc)
    /// Glibc's `O_TMPFILE`, a macro that Swift cannot read: `__O_TMPFILE | O_DIRECTORY`, the former being the same on all machines that Swift is for.
    private static let flag: Int32 = 0o20_000_000 | O_DIRECTORY

    /// A file in `folder` (the current one where that is empty) that is its owner's alone; nil where the file system knows no such thing, or where it
    /// could not be given a name afterwards.
    static func open(in folder: String) -> Int32? {
      let descriptor = systemOpen(folder.isEmpty ? "." : folder, flag | O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      guard access(link(to: descriptor), F_OK) == 0 else {
        close(descriptor)
        return nil
      }
      return descriptor
    }

    /// Names it; false, with `errno`, where that cannot be, as when the name is taken.
    static func name(_ descriptor: Int32, _ path: String) -> Bool {
      linkat(AT_FDCWD, link(to: descriptor), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
    }

    /// By this way anybody may name a file of his own; directly by the descriptor only who has CAP_DAC_READ_SEARCH (linkat(2), `AT_EMPTY_PATH`).
    private static func link(to descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }
  #else
    static func open(in folder: String) -> Int32? { nil }
    static func name(_ descriptor: Int32, _ path: String) -> Bool { false }
  #endif
}

#if canImport(Glibc)
  /// `open(2)`, under a name that `NamelessFile.open` doesn't hide.
  private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o600) }
#endif
