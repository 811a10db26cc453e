import Synchronization

/// How far the clocks of servers are off from ours, by account, as far as a refused timestamp has shown it (RFC 5849, 3.3).
///
/// In memory alone: a clock that somebody sets right makes what a file said wrong.
package final class ClockOffsets: Sendable {
  private let offsets = Mutex<[AccountKey: Int64]>([:])

  package init() {}

  /// Seconds to add to our time; 0 where nothing has shown that it is wrong.
  package subscript(_ account: String) -> Int64 {
    offsets.withLock { $0[AccountKey(account)] ?? 0 }
  }

  /// Takes what a refusal says; true where it shows that `timestamp`, which was sent, is to blame, so that another one may do.
  ///
  /// `now` is our time, in Unix seconds. What is learnt is added to what was known, since an offset may itself have gone wrong.
  func learn(from problem: OAuth1Problem, _ response: HTTPResponse, account: String, now: Int64) -> Bool {
    offsets.withLock { offsets in
      let known = offsets[AccountKey(account)] ?? 0
      guard let more = ClockOffset(correcting: problem, response, now: now + known), more.seconds != 0 else { return false }
      offsets[AccountKey(account)] = known + more.seconds
      return true
    }
  }
}
