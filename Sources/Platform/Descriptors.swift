#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Detects that the process has run out of file descriptors. Calls close their descriptors when they end, so a retry may succeed.
package enum Descriptors {
  /// Text that messages show instead of `errno`'s.
  package static let exhausted = "the process has no file descriptor left"

  /// Returns `errno`'s text in lower case, as all messages show it.
  package static func reason(_ code: Int32) -> String {
    code == EMFILE || code == ENFILE ? exhausted : String(cString: strerror(code)).lowercased()
  }

  /// Writes all bytes and returns 0, or the `errno` of a write that failed. The rest is then not written.
  ///
  /// A parent that shares the descriptor may have made it non-blocking. The call then waits until it takes more.
  package static func writeAll(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Int32 {
    var rest = ArraySlice(bytes)
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&room, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  /// Whether the process has no free descriptor now. Explains failures for which libcurl gives no reason.
  package static var areExhausted: Bool {
    let probe = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard probe < 0 else {
      close(probe)
      return false
    }
    return errno == EMFILE || errno == ENFILE
  }
}
