#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Running out of file descriptors: calls give theirs back when they end, so that the same call may succeed later.
package enum Descriptors {
  /// The reason in a message, in the place of `errno`'s text.
  package static let exhausted = "the process has no file descriptor left"

  /// `errno`'s text in lower case, as messages have it.
  package static func reason(_ code: Int32) -> String {
    code == EMFILE || code == ENFILE ? exhausted : String(cString: strerror(code)).lowercased()
  }

  /// Whether there is none at this moment; for what libcurl could not do, because it doesn't say why.
  static var areExhausted: Bool {
    let probe = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard probe < 0 else {
      close(probe)
      return false
    }
    return errno == EMFILE || errno == ENFILE
  }
}
