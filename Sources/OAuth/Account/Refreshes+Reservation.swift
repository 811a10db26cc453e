extension Refreshes {
  /// Room on the disk for what a refresh of `grant` brings; without it nothing is sent, and the login stays as it is.
  ///
  /// nil for a grant that the disk has refused already: another refresh can lose nothing more.
  func reservation(for grant: Grant) async throws -> GrantReservation? {
    do throws(OAuthFailure) {
      return try await surroundings.store.reserve(for: grant)
    } catch {
      guard unsaved[.init(grant.account)] == nil else { return nil }
      throw error.of(grant.account)
    }
  }

  /// The account's grant after an exchange that began with `grant`. A file that cannot be read counts as unchanged: the tokens that have just come
  /// must not be lost with it.
  func latest(after grant: Grant) -> Grant? {
    do {
      return try current(grant.account)
    } catch {
      return grant
    }
  }

  /// The grant that a sign-in's grant replaces. A damaged one has been set aside and keeps no new one out; a newer version's stays.
  func replaceable(_ account: String) throws(OAuthFailure) -> Grant? {
    do throws(OAuthFailure) {
      return try surroundings.store.read(account)
    } catch {
      if error.isOfNewerVersion { throw error }
      return nil
    }
  }
}
