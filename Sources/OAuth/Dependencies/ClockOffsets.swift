import OAuthCore
import Synchronization

/// The offset of servers' clocks from ours, by account, as learned from rejected timestamps (RFC 5849, 3.3).
///
/// Offsets are not stored on disk: they become wrong when the user corrects the clock.
package final class ClockOffsets: Sendable {
  private let offsets = Mutex<[AccountKey: Int64]>([:])

  package init() {}

  /// Seconds to add to our time. Default: 0.
  package subscript(_ account: String) -> Int64 {
    offsets.withLock { $0[AccountKey(account)] ?? 0 }
  }

  /// Learns from a server's rejection. Returns true if `timestamp` was the reason and a corrected one may succeed.
  ///
  /// `now` is our time in Unix seconds. The new offset is added to the known one, because the known offset may itself be wrong.
  func learn(from problem: OAuth1Problem, _ response: HTTPResponse, account: String, now: Int64) -> Bool {
    offsets.withLock { offsets in
      let known = offsets[AccountKey(account)] ?? 0
      guard let more = ClockOffset(correcting: problem, response, now: now + known), more.seconds != 0 else { return false }
      offsets[AccountKey(account)] = known + more.seconds
      return true
    }
  }
}
