/// A service that discovery found (OpenID Authentication 2.0, 7.3.1).
package struct OpenIDService: Sendable, Equatable {
  /// The identifiers that the service can assert.
  package enum Kind: Sendable, Equatable {
    /// Any of the provider's users; the user selects an identity there (`…/2.0/server`).
    case server
    /// The claimed identifier that was looked up (`…/2.0/signon`).
    case signon
    /// The same for OpenID 1.1 (`…/signon/1.1` or `1.0`).
    case signon1
  }

  package var kind: Kind
  /// The OP endpoint.
  package var endpoint: String
  /// The identifier that the user claims; nil for a provider's own identifier.
  package var claimedId: String?
  /// The provider's name for the user, if it differs from the claimed identifier.
  package var localId: String?

  package init(kind: Kind, endpoint: String, claimedId: String? = nil, localId: String? = nil) {
    self.kind = kind
    self.endpoint = endpoint
    self.claimedId = claimedId
    self.localId = localId
  }
}
