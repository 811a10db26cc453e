import CPlatform

/// Detects that the process has run out of file descriptors. Calls close their descriptors when they end, so a retry may succeed.
package enum Descriptors {
  /// Text that messages show instead of `errno`'s.
  package static let exhausted = "the process has no file descriptor left"

  /// Returns `errno`'s text in lower case, as all messages show it.
  package static func reason(_ code: Int32) -> String {
    code == EMFILE || code == ENFILE ? exhausted : String(cString: strerror(code)).lowercased()
  }

  /// The error number of a failed call.
  package struct Fault: Error {
    package let code: Int32
    package var reason: String { Descriptors.reason(code) }
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

  /// Closes a file that `flock` has locked. Without the unlocking, a child that is just starting would keep the lock with its copy.
  package static func unlock(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

/// The two ends of a pipe. Children don't inherit them.
package struct Pipe: Sendable {
  package let reading: Int32
  package let writing: Int32

  /// Returns nil with `errno` if the process has no descriptor left.
  package init?() {
    var ends: [Int32] = [-1, -1]
    guard cplatform_pipe(&ends) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
  }
}

extension PosixFile.Fault {
  /// The fault of a file or a folder of another user, whom the process does not trust.
  package static func ofOther(_ user: uid_t, _ path: String, _ what: String = "it") -> PosixFile.Fault {
    let name = getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "'#\(user)'"
    var fault = PosixFile.Fault(path: path, code: EPERM)
    fault.problem =
      "\(what) belongs to the user \(user): run this as that user (sudo -u \(name)), or accept that user's files (--trust-owner \(user))"
    fault.isOfOther = true
    return fault
  }
}
