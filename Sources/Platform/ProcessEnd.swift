import CPlatform

/// The end of another process.
package enum ProcessEnd {
  /// Seconds between two checks where the system cannot report the end of a process. vscode-languageserver uses the same value.
  private static let interval: UInt32 = 3

  /// Returns when the process has ended. Blocks the thread.
  package static func wait(for process: Int32) {
    let descriptor = cplatform_watch_process(process)
    if descriptor >= 0 {
      defer { close(descriptor) }
      var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&end, 1, -1) < 0, errno == EINTR {}
      if end.revents & Int16(POLLIN) != 0 { return }
    }
    while kill(process, 0) == 0 || errno == EPERM { sleep(interval) }
  }
}
