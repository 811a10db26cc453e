import OAuthCore
import Platform
import Synchronization

/// The pages that programs have shown for an account by themselves: its file `.pages` has a line `REASON SECONDS` for each of the last ones.
///
/// A server can ask for a login again and again, and a host can start its program again and again. Neither may fill the screen with tabs.
package final class PageCount: Sendable {
  package enum Reason: String, Sendable {
    case signIn, stepUp

    /// How many pages it may have within `period`. A user who has just signed in may use two tools that each need more.
    var limit: Int { self == .signIn ? 1 : 2 }
  }

  /// Seconds.
  private static let period = 300
  /// Bytes of the file.
  private static let limit = 1024
  /// Milliseconds between two tries while another process counts.
  private static let pause = 5

  private let folder: StoreFolder?
  private let clock: Clock
  /// What the files of a process without a store would have.
  private let texts = Mutex<[String: String]>([:])

  /// `folder` is the store's; nil without one.
  package init(folder: StoreFolder? = nil, clock: Clock = .system) { (self.folder, self.clock) = (folder, clock) }

  /// Counts a page in all processes and at later starts. Returns false if the reason has had its pages.
  package func add(_ account: String, _ reason: Reason) async -> Bool { await change(account) { add(reason, to: &$0) } }

  /// Takes a page back that did not appear.
  package func remove(_ account: String, _ reason: Reason) async {
    _ = await change(account) { text in
      var lines = text.split(separator: "\n")
      if let last = lines.lastIndex(where: { $0.hasPrefix(reason.rawValue + " ") }) { lines.remove(at: last) }
      text = lines.joined(separator: "\n")
      return true
    }
  }

  /// Writes what `work` makes of the account's lines, unless it returns false.
  private func change(_ account: String, _ work: (inout String) -> Bool) async -> Bool {
    guard let folder else { return texts.withLock { work(&$0[account, default: ""]) } }
    let path = "\(folder.path)/\(FileName.of(account)).pages"
    while true {
      switch try? GrantLock.attempt(path, in: folder) {
      case .taken(let descriptor):
        defer { Descriptors.unlock(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.limit)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        var text = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
        guard work(&text) else { return false }
        let line = Array(text.utf8)
        // A page that cannot be counted is not shown: on a full disk, each start would show one.
        return ftruncate(descriptor, 0) == 0 && pwrite(descriptor, line, line.count, 0) == line.count
      case .held: try? await clock.sleep(milliseconds: Self.pause)
      case .replaced: continue
      case nil: return false
      }
      if Task.isCancelled { return false }
    }
  }

  private func add(_ reason: Reason, to text: inout String) -> Bool {
    let now = clock.now
    // The clock of another process may be slightly ahead. A time of a clock that was set back since does not count.
    let recent = text.split(separator: "\n").map { $0.split(separator: " ") }.filter { line in
      line.count == 2 && Int(line[1]).map { (now - Self.period + 1...now + 1).contains($0) } == true
    }
    guard recent.count(where: { $0[0] == reason.rawValue }) < reason.limit else { return false }
    text = (recent.map { $0.joined(separator: " ") } + ["\(reason.rawValue) \(now)"]).joined(separator: "\n")
    return true
  }
}
