/// One way to sign in that discovery found (OpenID Authentication 2.0, 7.3.1).
package struct OpenIDService: Sendable, Equatable {
  /// What the service answers for.
  package enum Kind: Sendable, Equatable {
    /// Whoever signs in there says himself who he is (`…/2.0/server`).
    case server
    /// The claimed identifier that was looked up (`…/2.0/signon`).
    case signon
    /// The same by OpenID 1.1 (`…/signon/1.1` or `1.0`).
    case signon1
  }

  package var kind: Kind
  /// The OP endpoint.
  package var endpoint: String
  /// What the user claims to own; nil for a provider's own identifier.
  package var claimedId: String?
  /// The name that the provider knows the user by, where it is another one.
  package var localId: String?

  package init(kind: Kind, endpoint: String, claimedId: String? = nil, localId: String? = nil) {
    self.kind = kind
    self.endpoint = endpoint
    self.claimedId = claimedId
    self.localId = localId
  }
}
