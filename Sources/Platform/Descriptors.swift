import CPlatform
import Synchronization

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
  /// With `makes`, the process makes a file or a folder of its own there. Root then follows no link that another user could have made.
  ///
  /// Splits bytes: a slash with a combining mark is one character, but still a slash for the system.
  package init(_ path: String, below root: Int32? = nil, makes: Bool = false) throws(PosixFile.Fault) {
    let slash = UInt8(ascii: "/")
    var parts: ArraySlice<String>
    var open: Int32
    if root != nil || makes && geteuid() == 0 {
      parts = path.utf8.split(separator: slash).map { String(Substring($0)) }.filter { $0 != "." }[...]
      guard root == nil || !parts.contains("..") else { throw PosixFile.Fault(path: path, code: EACCES) }
      let start = root == nil && path.hasPrefix("/") ? "/" : "."
      open = PosixFile.retry { openFolder(root ?? AT_FDCWD, start, followsLinks: false) }
    } else {
      let end = path.utf8.lastIndex(of: slash)
      parts = [String(path[(end.map(path.utf8.index(after:)) ?? path.startIndex)...])]
      open = PosixFile.retry { openFolder(AT_FDCWD, end.map { String(path[...$0]) } ?? ".", followsLinks: true) }
    }
    let last = parts.popLast() ?? ""
    name = last.isEmpty ? "." : last
    for part in parts where open >= 0 {
      let next = PosixFile.retry { openFolder(open, part, followsLinks: root == nil && Self.isRootsAlone(open)) }
      let code = errno
      close(open)
      open = next
      errno = code
    }
    guard open >= 0 else {
      let isInTheWay = makes && geteuid() == 0 && errno == ENOTDIR
      throw PosixFile.Fault(path: path, code: errno, problem: isInTheWay ? "not a directory, or a link that root did not make" : nil)
    }
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

  /// Whether a link of this name may be followed: the process is not root's, or root alone can change the folder.
  package var mayBeFollowed: Bool { geteuid() != 0 || Self.isRootsAlone(folder) }

  /// Whether root alone can change what is in the folder. Its links are the system's, such as `/var/run`.
  private static func isRootsAlone(_ folder: Int32) -> Bool {
    var status = stat()
    return fstat(folder, &status) == 0 && status.st_uid == 0 && status.st_mode & 0o022 == 0
  }
}

/// Making files and folders, for their owner alone.
///
/// What root makes in the folder of another user is given to that user, whose programs could not use it otherwise. Root makes nothing there unless
/// the command line names the user.
extension FilePlace {
  private static let trusted = Mutex<Set<uid_t>>([])

  /// Lets root write in the folders of this user.
  package static func trust(_ user: uid_t) { trusted.withLock { _ = $0.insert(user) } }

  /// The folder of another user in which the process makes something as root; nil if it does not.
  package var other: stat? {
    var status = stat()
    return geteuid() == 0 && fstat(folder, &status) == 0 && status.st_uid != 0 ? status : nil
  }

  /// Makes the file, which must not exist. Returns its descriptor.
  package func makeFile(_ flags: Int32, _ path: String) throws(PosixFile.Fault) -> Int32 {
    try make(path) { openat(folder, name, flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
  }

  /// Opens the file. With `makes`, a missing one is made. Returns its descriptor.
  package func openFile(_ flags: Int32, _ path: String, makes: Bool) throws(PosixFile.Fault) -> Int32 {
    if makes { try checkTrust(path) }
    while true {
      let descriptor = PosixFile.retry { openat(folder, name, flags | O_CLOEXEC) }
      if descriptor >= 0 { return descriptor }
      guard errno == ENOENT, makes else {
        throw PosixFile.Fault(path: path, code: errno, problem: errno == ELOOP ? "it is a link" : nil)
      }
      do throws(PosixFile.Fault) { return try makeFile(flags, path) } catch { guard error.code == EEXIST else { throw error } }
    }
  }

  /// Opens the file to append to it, or makes it. Root then follows no link that another user could have made.
  package func openToAppend(_ path: String) throws(PosixFile.Fault) -> Int32 {
    let flags = O_WRONLY | O_APPEND | O_NONBLOCK
    guard mayBeFollowed else { return try openFile(flags | O_NOFOLLOW, path, makes: true) }
    let descriptor = PosixFile.retry { openat(folder, name, flags | O_CREAT | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else { throw PosixFile.Fault(path: path, code: errno) }
    return descriptor
  }

  func makeFolder(_ path: String) throws(PosixFile.Fault) {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    close(try make(path, isFolder: true) { mkdirat(folder, name, 0o700) == 0 ? openat(folder, name, flags) : -1 })
  }

  /// Rejects the folder of a user in which root may change nothing.
  package func checkTrust(_ path: String) throws(PosixFile.Fault) {
    if let other, !Self.trusted.withLock({ $0.contains(other.st_uid) }) { throw .ofOther(other.st_uid, path, "its folder") }
  }

  private func make(_ path: String, isFolder: Bool = false, _ work: () -> Int32) throws(PosixFile.Fault) -> Int32 {
    try checkTrust(path)
    let other = other
    let descriptor = PosixFile.retry(work)
    guard descriptor >= 0 else { throw PosixFile.Fault(path: path, code: errno) }
    // That user may have put another folder of root in the place of the new one.
    let isNew = !isFolder || (try? PosixFile.names(in: ".", of: descriptor))?.isEmpty == true
    guard let other, !isNew || fchown(descriptor, other.st_uid, other.st_gid) != 0 else { return descriptor }
    let code = isNew ? errno : EPERM
    close(descriptor)
    unlinkat(folder, name, isFolder ? AT_REMOVEDIR : 0)
    throw PosixFile.Fault(path: path, code: code)
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

/// A socket that listens for connections: from this machine only, unless the user names an address.
package struct LoopbackSocket: Sendable {
  package let descriptor: Int32
  package let port: UInt16

  /// Listens on the address, or on ::1 or 127.0.0.1. With port 0 the system chooses a free port.
  package init(isIPv6: Bool, address: String? = nil, port: UInt16) throws(Descriptors.Fault) {
    var port = port
    descriptor = cplatform_listen(isIPv6 ? 1 : 0, address, &port)
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
