import Synchronization

/// What this process remembers of OpenID 2.0's providers: the keys agreed on, and the nonces that have come.
///
/// Memory is enough: a key is made anew in one exchange, and an answer that is replayed to another process finds no sign-in there
/// whose state it carries.
package final class OpenIDMemory: Sendable {
  /// Far more than anybody's providers; a process that meets more forgets the key that ends first.
  private static let mostAssociations = 64

  private struct State {
    var associations: [String: OpenIDAssociation] = [:]
    var scopes: [String: NetworkScope] = [:]
    /// When each may be forgotten, in Unix seconds.
    var nonces: [String: Int] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// The key agreed on with the endpoint, if it lives until then and is of the kind (any, where nothing is said).
  func association(of endpoint: String, kind: OpenIDAssociation.Kind? = nil, until now: Int) -> OpenIDAssociation? {
    state.withLock { state in
      guard let association = state.associations[endpoint], association.expiresAt > now else { return nil }
      return kind == nil || kind == association.kind ? association : nil
    }
  }

  func keep(_ association: OpenIDAssociation, of endpoint: String) {
    state.withLock { state in
      if state.associations.count >= Self.mostAssociations, state.associations[endpoint] == nil,
        let first = state.associations.min(by: { $0.value.expiresAt < $1.value.expiresAt })
      {
        state.associations[first.key] = nil
      }
      state.associations[endpoint] = association
    }
  }

  /// Forgets the key if it still has this handle: a newer one stays.
  func forget(_ handle: String, of endpoint: String) {
    state.withLock { state in
      if state.associations[endpoint]?.handle == handle { state.associations[endpoint] = nil }
    }
  }

  /// The scope of the address that answered at the endpoint last; nil where none is known.
  func scope(of endpoint: String) -> NetworkScope? { state.withLock { $0.scopes[endpoint] } }

  func keep(_ scope: NetworkScope, of endpoint: String) {
    state.withLock { state in
      if state.scopes.count >= Self.mostAssociations { state.scopes = [:] }
      state.scopes[endpoint] = scope
    }
  }

  /// True for a nonce that comes from this endpoint for the first time (OpenID Authentication 2.0, 11.3).
  func isFirst(_ nonce: String, of endpoint: String, at now: Int) -> Bool {
    state.withLock { state in
      state.nonces = state.nonces.filter { $0.value > now }
      let key = endpoint + "\n" + nonce
      // Beyond twice the window the nonce itself is too old, whichever way the clocks differ.
      return state.nonces.updateValue(now + 2 * OpenIDNonce.window + 1, forKey: key) == nil
    }
  }
}
