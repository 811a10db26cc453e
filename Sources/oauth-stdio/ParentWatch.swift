#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ends us when the process that the client named in `initialize` is gone, as language servers do: an editor that was killed says no goodbye.
enum ParentWatch {
  /// Seconds between two looks, as vscode-languageserver has it.
  private static let interval: UInt32 = 3

  static func start(_ process: Int32, _ ending: Ending) {
    Threads.start {
      while kill(process, 0) == 0 || errno == EPERM { sleep(interval) }
      ending.now(status: 1)
    }
  }
}
