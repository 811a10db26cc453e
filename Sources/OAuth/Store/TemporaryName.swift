#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The names under which the store's files are written before they take their place: the file's own, the process and something random.
enum TemporaryName {
  private static let end = ".tmp"
  /// Six random bytes in base64url.
  private static let randomBytes = 6
  private static let randomLength = 8

  static func of(_ path: String, _ random: (Int) -> [UInt8]) -> String {
    "\(path).\(getpid()).\(Base64.encodeURL(random(randomBytes)))\(end)"
  }

  /// The name of the file that a temporary one was to become; nil where the store would not have made such a name.
  static func target(of name: String) -> String? {
    guard name.hasSuffix(end) else { return nil }
    let parts = name.dropLast(end.count).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 2 else { return nil }
    let (random, process) = (parts[parts.count - 1], parts[parts.count - 2])
    guard random.utf8.count == randomLength, random.utf8.allSatisfy({ isASCIILetterOrDigit($0) || "-_".utf8.contains($0) }),
      let id = pid_t(process), id > 0, String(id) == process
    else { return nil }
    let target = parts.dropLast(2).joined(separator: ".")
    return target == KeyFile.name || isGrant(target) ? target : nil
  }

  private static func isGrant(_ name: String) -> Bool {
    guard name.hasSuffix(".grant"), name.utf8.count > ".grant".utf8.count, !name.hasPrefix(".") else { return false }
    return name.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || "-_.%".utf8.contains($0) }
  }
}

/// Takes away what processes left that were killed while they wrote to the store's folder.
struct LeftoverSweep {
  /// Seconds: a file is written in less than one, so that what is an hour old is nobody's any more.
  static let age = 3600

  let folder: String

  /// `held` is the file whose lock the caller has; another account's leftovers go only while nobody holds its lock. What cannot be removed stays: it
  /// harms nobody.
  func run(holding held: String, at now: Int) throws(PosixFile.Fault) {
    for name in try PosixFile.names(in: folder) {
      guard let target = TemporaryName.target(of: name) else { continue }
      let path = "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else { continue }
      #if canImport(Glibc)
        let changed = status.st_mtim.tv_sec
      #else
        let changed = status.st_mtimespec.tv_sec
      #endif
      guard now - changed > Self.age else { continue }
      let isOurs = target == held || target == KeyFile.name
      if isOurs || isUnlocked(target) { unlink(path) }
    }
  }

  /// Whether nobody is changing the account; a lock that was never made is held by nobody.
  private func isUnlocked(_ target: String) -> Bool {
    let descriptor = PosixFile.retry { openExistingLock("\(folder)/\(target).lock") }
    guard descriptor >= 0 else { return errno == ENOENT }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }
}

private func openExistingLock(_ path: String) -> Int32 { open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC) }
