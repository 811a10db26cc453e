import OAuthCore

/// Everything that writing a refreshed grant needs, reserved before the request is sent. A refresh token that the server has rotated must reach the
/// disk.
package struct GrantReservation: Sendable {
  /// Writes the grant like `GrantStore.write`. Can be called once.
  package let write: @Sendable (Grant) async throws(OAuthFailure) -> Void

  package init(write: @escaping @Sendable (Grant) async throws(OAuthFailure) -> Void) { self.write = write }
}
