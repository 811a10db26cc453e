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

/// A file by its open folder and its name there. The folder stays the same one if a part of the path is exchanged meanwhile.
package final class FilePlace: Sendable {
  package let folder: Int32
  package let name: String

  /// Opens the folder of the file at `path`. With `root`, the path starts in that open folder, does not lead out of it, and has no link.
  ///
  /// Splits bytes: a slash with a combining mark is one character, but still a slash for the system.
  package init(_ path: String, below root: Int32? = nil) throws(PosixFile.Fault) {
    let slash = UInt8(ascii: "/")
    var parts: ArraySlice<String>
    var open: Int32
    if let root {
      parts = path.utf8.split(separator: slash).map { String(Substring($0)) }.filter { $0 != "." }[...]
      guard !parts.contains("..") else { throw PosixFile.Fault(path: path, code: EACCES) }
      open = PosixFile.retry { openFolder(root, ".", followsLinks: false) }
    } else {
      let end = path.utf8.lastIndex(of: slash)
      parts = [String(path[(end.map(path.utf8.index(after:)) ?? path.startIndex)...])]
      open = PosixFile.retry { openFolder(AT_FDCWD, end.map { String(path[...$0]) } ?? ".", followsLinks: true) }
    }
    let last = parts.popLast() ?? ""
    name = last.isEmpty ? "." : last
    for part in parts where open >= 0 {
      let next = PosixFile.retry { openFolder(open, part, followsLinks: false) }
      let code = errno
      close(open)
      open = next
      errno = code
    }
    guard open >= 0 else { throw PosixFile.Fault(path: path, code: errno) }
    folder = open
    // The name of a link is one of the folder's own, but what it leads to is not.
    if root != nil, let status, status.st_mode & S_IFMT == S_IFLNK { throw PosixFile.Fault(path: path, code: ELOOP) }
  }

  deinit { close(folder) }

  /// What is at the place, without following a link; nil if there is nothing or it cannot be examined. `errno` tells which.
  package var status: stat? {
    var status = stat()
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }
}

/// Opens a folder only to name files in it, which needs no permission to list it.
private func openFolder(_ folder: Int32, _ path: String, followsLinks: Bool) -> Int32 {
  #if canImport(Glibc)
    // O_PATH, which the C library defines by another macro.
    let mode: Int32 = 0o10_000_000
  #else
    let mode: Int32 = O_RDONLY
  #endif
  return openat(folder, path, mode | O_DIRECTORY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW))
}

/// A socket that listens for connections from this machine only.
package struct LoopbackSocket: Sendable {
  package let descriptor: Int32
  package let port: UInt16

  /// Listens on ::1 or 127.0.0.1. With port 0 the system chooses a free port.
  package init(isIPv6: Bool, port: UInt16) throws(Descriptors.Fault) {
    var port = port
    descriptor = cplatform_listen(isIPv6 ? 1 : 0, &port)
    guard descriptor >= 0 else { throw Descriptors.Fault(code: errno) }
    self.port = port
  }

  /// Waits for a connection and returns its descriptor. Children don't inherit it.
  package func accept() throws(Descriptors.Fault) -> Int32 {
    let connection = cplatform_accept(descriptor)
    guard connection >= 0 else { throw Descriptors.Fault(code: errno) }
    return connection
  }

  /// Lets `accept` fail instead of waiting. Between `poll` and `accept` a connection may vanish.
  package func stopWaiting() { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }

  /// Frees the port. Without the shutdown, a child that is just starting would keep it with its copy of the descriptor.
  package func end() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }

  /// Sends bytes within `milliseconds`. A receiver that takes a byte now and then does not prolong it.
  /// Returns false if the connection takes no more.
  package static func sendAll(_ bytes: [UInt8], to connection: Int32, timeoutMilliseconds milliseconds: Int) -> Bool {
    let end = Clock.system.uptime() + milliseconds
    #if canImport(Glibc)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let left = end - Clock.system.uptime()
      guard left > 0 else { return false }
      var limit = timeval(tv_sec: left / 1000, tv_usec: .init(left % 1000 * 1000))
      setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, flags) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
    }
    return true
  }
}
