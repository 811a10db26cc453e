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
        log?.take(.init(.warning, "other users can read a grant or its key: run chmod go= \(folder)/key \(folder)/*.grant"))
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
    return (try PosixFile.content(of: descriptor, size: Int(status.st_size), path, limit: limit), status)
  }

  /// Sets the modification time of a file, which is made if it is missing. A failure is ignored: the time is a hint.
  func stamp(_ path: String, _ now: Int) {
    guard let descriptor = try? open(path, for: .inPlace(creates: true))?.descriptor else { return }
    defer { close(descriptor) }
    let time = timespec(tv_sec: now, tv_nsec: 0)
    futimens(descriptor, [time, time])
  }
}
