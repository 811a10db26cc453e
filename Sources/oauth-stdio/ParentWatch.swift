import CStart

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ends us when the process that the client named in `initialize` is gone, as language servers do: an editor that was killed says no goodbye.
enum ParentWatch {
  /// Seconds between two looks where the system does not report the end of a process, as vscode-languageserver has it.
  private static let interval: UInt32 = 3

  static func start(_ process: Int32, _ ending: Ending) {
    Threads.start {
      waitForEnd(of: process)
      ending.now(status: 1)
    }
  }

  private static func waitForEnd(of process: Int32) {
    let descriptor = cstart_watch_process(process)
    if descriptor >= 0 {
      defer { close(descriptor) }
      var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&end, 1, -1) < 0, errno == EINTR {}
      if end.revents & Int16(POLLIN) != 0 { return }
    }
    while kill(process, 0) == 0 || errno == EPERM { sleep(interval) }
  }
}
