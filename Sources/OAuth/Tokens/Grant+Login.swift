/// Compares a grant with an earlier copy of it.
extension Grant {
  /// Whether this grant is unchanged since it was `other`. Generation numbers are not enough: they begin at 1 again after a sign-out.
  func isSame(as other: Grant) -> Bool {
    generation == other.generation && accessToken == other.accessToken && refreshToken == other.refreshToken
      && sessionHandle == other.sessionHandle
  }

  /// Whether this grant came from `other` by refreshes alone. Earlier versions store no login; for them the generation numbers decide.
  func descends(from other: Grant) -> Bool {
    if let login, let earlier = other.login, login != earlier { return false }
    return generation > other.generation
  }
}
