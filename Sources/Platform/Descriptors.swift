/// Detects that the process has run out of file descriptors. Calls close their descriptors when they end, so a retry may succeed.
package enum Descriptors {
  /// Text that messages show instead of `errno`'s.
  package static let exhausted = "the process has no file descriptor left"

  /// Returns `errno`'s text in lower case, as all messages show it.
  package static func reason(_ code: Int32) -> String {
    code == EMFILE || code == ENFILE ? exhausted : String(cString: strerror(code)).lowercased()
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
