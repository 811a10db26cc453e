import Jansson
import OAuthCore
import Platform
import Synchronization

/// The folder of a store, and the one way to open a file in it: by its name, as a regular file, and not through a link. Folder and file belong to
/// trusted owners. Nothing is repaired that the process did not create.
package final class StoreFolder: Sendable {
  /// How a file of the store is used.
  enum Use {
    /// A grant is replaced as a whole.
    case grant
    /// The key may be a link: systems that provide secrets make links.
    case key
    /// A lock, or the note of a use, is written in place. Its other name could be that of any file.
    case inPlace(creates: Bool)
  }

  let path: String
  let owners: TrustedOwners
  private let log: (any LogSink)?
  /// Whether the log has said that other users can read a grant or the key.
  private let hasWarned = Atomic(false)

  package init(_ path: String, _ owners: TrustedOwners = TrustedOwners(), log: (any LogSink)? = nil) {
    (self.path, self.owners, self.log) = (path, owners, log)
  }

  /// Opens the file at `path`, which is in the folder. Returns nil if there is none, unless it is to be created.
  func open(_ path: String, for use: Use) throws(PosixFile.Fault) -> (descriptor: Int32, status: stat)? {
    let (flags, creates): (Int32, Bool) =
      switch use {
      case .grant: (O_RDONLY | O_NOFOLLOW, false)
      case .key: (O_RDONLY, false)
      case .inPlace(let creates): (O_RDWR | O_NOFOLLOW, creates)
      }
    let descriptor: Int32
    do throws(PosixFile.Fault) {
      let place = try FilePlace(path, makes: creates)
      var folder = stat()
      guard fstat(place.folder, &folder) == 0 else { throw PosixFile.Fault(path: self.path, code: errno) }
      try owners.check(folder, self.path)
      descriptor = try place.openFile(flags | O_NONBLOCK, path, makes: creates)
    } catch {
      if error.code == ENOENT, !creates { return nil }
      throw error
    }
    do throws(PosixFile.Fault) {
      let status = try PosixFile.regularStatus(descriptor, path)
      try owners.check(status, path)
      if case .inPlace = use {
        guard status.st_nlink <= 1 else { throw PosixFile.Fault(path: path, code: EMLINK, problem: "it has several names (hard links)") }
      } else if status.st_mode & 0o077 != 0, !hasWarned.exchange(true, ordering: .relaxed) {
        let folder = ShellWord.quoted(self.path)
        log?.take(.storeReadable(command: "chmod go= \(folder)/key \(folder)/*.grant"))
      }
      return (descriptor, status)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Returns the whole file, and what it is. Returns nil if there is none. A file of more than `limit` bytes is `EFBIG`.
  func read(_ path: String, limit: Int, for use: Use = .grant) throws(PosixFile.Fault) -> (bytes: [UInt8], status: stat)? {
    guard let (descriptor, status) = try open(path, for: use) else { return nil }
    defer { close(descriptor) }
    return (try PosixFile.content(of: descriptor, status, path, limit: limit), status)
  }

  /// Sets the modification time of a file, which is made if it is missing. A failure is ignored: the time is a hint.
  func stamp(_ path: String, _ now: Int) {
    guard let descriptor = try? open(path, for: .inPlace(creates: true))?.descriptor else { return }
    defer { close(descriptor) }
    let time = timespec(tv_sec: now, tv_nsec: 0)
    futimens(descriptor, [time, time])
  }
}

/// Where the key that seals the grants is.
package enum KeySource: Sendable, Equatable {
  /// In the store's folder.
  case file
  /// In the user's keyring.
  case keyring
  /// Where a shell command gets it. The command prints the key in base64.
  case command(String)

  /// In bytes. The key file holds the command.
  private static let commandLimit = 2000

  /// Reads `file`, `keyring` or `command:…`; nil for another text.
  package init?(_ text: String) {
    switch text {
    case "file": self = .file
    case "keyring": self = .keyring
    case _
    where text.hasPrefix("command:") && (9...Self.commandLimit).contains(text.utf8.count) && !text.utf8.contains(where: { $0 < 0x20 }):
      self = .command(String(text.dropFirst(8)))
    default: return nil
    }
  }

  /// Returns the parts of a shell command, or of `$BROWSER`, that may be names of files.
  package static func words(of command: String) -> [String] { command.split { " \t'\"`;:&|()<>=$".contains($0) }.map(String.init) }

  /// The name for clients and messages. It leaves out the command, which may contain a secret.
  package var name: String {
    switch self {
    case .file: "file"
    case .keyring: "keyring"
    case .command: "command"
    }
  }
}

/// The users whose files the process trusts: its own user, root, and the users named on the command line. ssh applies the same rule to its files.
package struct TrustedOwners: Sendable {
  private let users: [UInt32]

  package init(_ named: [UInt32] = []) { users = named + [0, geteuid()] }

  /// Rejects a file of any other user.
  func check(_ status: stat, _ path: String) throws(PosixFile.Fault) {
    let owner = UInt32(status.st_uid)
    guard users.contains(owner) else { throw .ofOther(owner, path) }
  }

  /// Checks a file that the user writes. Other users may read it but must not be able to change it.
  func usersOwn(_ status: stat, _ path: String) throws(PosixFile.Fault) {
    try check(status, path)
    let isWritable = status.st_mode & 0o002 != 0 || (status.st_mode & 0o020 != 0 && !Self.isPrivateGroup(status))
    guard isWritable else { return }
    throw PosixFile.Fault(path: path, code: EPERM, problem: "other users can change it: make it writable only for its owner (chmod go-w)")
  }

  /// Whether the file's group has no member but the file's owner. Many systems create such a private group for each user.
  private static func isPrivateGroup(_ status: stat) -> Bool {
    guard let user = getpwuid(status.st_uid), user.pointee.pw_gid == status.st_gid, let name = user.pointee.pw_name else { return false }
    let owner = String(cString: name)
    guard var member = getgrgid(status.st_gid)?.pointee.gr_mem else { return false }
    while let other = member.pointee {
      guard String(cString: other) == owner else { return false }
      member += 1
    }
    return true
  }
}

/// The process that holds an account's lock. It writes `PID SECONDS` into the lock file; the seconds are Unix time.
package struct LockHolder: Sendable, Equatable {
  /// Bytes: two numbers and their separator.
  private static let limit = 64

  let process: pid_t
  let since: Int

  /// Whether this process itself holds the lock.
  package var isThisProcess: Bool { process == getpid() }

  init(process: pid_t, since: Int) { (self.process, self.since) = (process, since) }

  /// nil if the file names no running process. A killed process leaves its line behind.
  init?(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: Self.limit)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    let words = String(decoding: bytes[..<count], as: UTF8.self).split { $0 == " " || $0 == "\n" }
    guard words.count == 2, let process = pid_t(words[0]), process > 0, let since = Int(words[1]), UnixSeconds.instants.contains(since)
    else { return nil }
    guard kill(process, 0) == 0 || errno == EPERM else { return nil }
    self.init(process: process, since: since)
  }

  /// Writes the holder into the lock file. Ignores a failed write, which only hides the holder.
  func write(to descriptor: Int32) {
    let line = Array("\(process) \(since)\n".utf8)
    guard pwrite(descriptor, line, line.count, 0) == line.count else { return }
    ftruncate(descriptor, off_t(line.count))
  }

  static func clear(_ descriptor: Int32) { ftruncate(descriptor, 0) }

  package var description: String {
    let (date, time) = Clock.utc(since)
    return "the process \(process), since \(date) \(time) UTC,"
  }

  package var details: [JSON.Member] { [.init("pid", .integer(Int(process))), .init("since", .integer(since))] }
}

/// Identifies one version of a file. Every write creates a new file, so the stamp of a replaced file differs.
/// Owner and mode belong to it, because a file that they make unusable must be read again.
package struct FileStamp: Hashable, Sendable, CustomStringConvertible {
  let inode: UInt64
  let size: Int64
  package let seconds: Int
  let nanoseconds: Int
  let owner: UInt32
  let mode: UInt32
  /// When the file was last changed in any way, in nanoseconds since 1970. Unlike the time of modification, no program sets it.
  let changed: Int

  /// The stamp as a text that differs whenever the stamp does.
  package var description: String { "\(inode) \(size) \(seconds) \(nanoseconds) \(owner) \(mode) \(changed)" }

  /// Whether every later write has another stamp. Writes within a tick of the file system's clock, of at most a second, have the same time.
  var isSettled: Bool { Clock.system.now - changed / 1_000_000_000 > 1 }

  /// Returns nil if there is no file. A folder that cannot be searched is an error.
  static func of(_ path: String) throws(PosixFile.Fault) -> FileStamp? {
    var status = stat()
    if stat(path, &status) == 0 { return FileStamp(status) }
    guard errno == ENOENT else { throw PosixFile.Fault(path: path, code: errno) }
    return nil
  }

  /// Returns the same, and nil for a file that cannot be examined.
  package static func ifAny(_ path: String) -> FileStamp? { (try? of(path)) ?? nil }

  init(_ status: stat) {
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    (owner, mode) = (UInt32(status.st_uid), UInt32(status.st_mode))
    #if canImport(Glibc)
      let (modification, change) = (status.st_mtim, status.st_ctim)
    #else
      let (modification, change) = (status.st_mtimespec, status.st_ctimespec)
    #endif
    (seconds, nanoseconds) = (modification.tv_sec, modification.tv_nsec)
    changed = change.tv_sec * 1_000_000_000 + change.tv_nsec
  }
}
