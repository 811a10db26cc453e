import OAuthCore
import Synchronization

/// The nonces that OpenID 2.0 providers have sent.
///
/// They are not stored on disk: a response that is replayed to another process matches no sign-in there by its state.
package final class OpenIDState: Sendable {
  /// The time at which each nonce may be forgotten, in Unix seconds.
  private let nonces = Mutex<[String: Int]>([:])

  package init() {}

  /// Returns true if this nonce comes from this endpoint for the first time (OpenID Authentication 2.0, 11.3).
  func isFirst(_ nonce: String, of endpoint: String, at now: Int) -> Bool {
    nonces.withLock { nonces in
      nonces = nonces.filter { $0.value > now }
      let key = endpoint + "\n" + nonce
      // After twice the window the nonce itself is too old, whatever the difference between the clocks.
      return nonces.updateValue(now + 2 * OpenIDNonce.window + 1, forKey: key) == nil
    }
  }
}
