import OAuthCore

extension TokenRefresher {
  /// Reserves disk space for the result of a refresh of `grant`. Without the space no request is sent, and the login stays as it is.
  ///
  /// Returns nil for a grant that could not be written before: another refresh can lose nothing more.
  func reservation(for grant: Grant) async throws -> GrantReservation? {
    do throws(OAuthFailure) {
      return try await dependencies.store.reserve(for: grant)
    } catch {
      guard unsaved[.init(grant.account)] == nil else { return nil }
      throw error.of(grant.account)
    }
  }

  /// Returns the account's grant after an exchange that began with `grant`.
  /// An unreadable file counts as unchanged, because the new tokens must not be lost with it.
  func latest(after grant: Grant) -> Grant? {
    do {
      return try current(grant.account)
    } catch {
      return grant
    }
  }

  /// Returns the grant that a sign-in's grant replaces. A damaged one has been set aside and prevents no new one. A newer version's grant stays.
  func replaceable(_ account: String) throws(OAuthFailure) -> Grant? {
    do throws(OAuthFailure) {
      return try dependencies.store.read(account)
    } catch {
      if error.isOfNewerVersion { throw error }
      return nil
    }
  }
}
