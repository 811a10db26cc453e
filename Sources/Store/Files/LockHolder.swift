import Jansson
import OAuthCore
import Platform

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
