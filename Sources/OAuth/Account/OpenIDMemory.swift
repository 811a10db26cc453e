import Synchronization

/// The nonces that have come from OpenID 2.0's providers.
///
/// Memory is enough: an answer that is replayed to another process finds no sign-in there whose state it carries.
package final class OpenIDMemory: Sendable {
  /// When each may be forgotten, in Unix seconds.
  private let nonces = Mutex<[String: Int]>([:])

  package init() {}

  /// True for a nonce that comes from this endpoint for the first time (OpenID Authentication 2.0, 11.3).
  func isFirst(_ nonce: String, of endpoint: String, at now: Int) -> Bool {
    nonces.withLock { nonces in
      nonces = nonces.filter { $0.value > now }
      let key = endpoint + "\n" + nonce
      // Beyond twice the window the nonce itself is too old, whichever way the clocks differ.
      return nonces.updateValue(now + 2 * OpenIDNonce.window + 1, forKey: key) == nil
    }
  }
}
