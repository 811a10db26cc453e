import Store

/// A grant that could not be written to disk. The next use of the account writes it again.
struct UnsavedGrant: Sendable {
  var grant: Grant
  /// The stored grant at that time.
  var replaced: Grant?
  /// Whether there was a stored grant that could not be read at that time. The new grant replaces it, unless the account has been signed out since.
  var replacesUnreadable = false
  /// The account's lock, which stays with a rotated refresh token until the disk has that.
  var lock: GrantLock?

  /// Whether the provider may reject the stored grant's refresh token, or what stands for one, because this grant's has replaced it.
  var hasRotated: Bool {
    guard let replaced, !grant.isForClient else { return replacesUnreadable && !grant.isForClient }
    guard grant.login == replaced.login else { return false }
    if (grant.refreshToken, grant.sessionHandle) != (replaced.refreshToken, replaced.sessionHandle) { return true }
    return grant.refreshToken == nil && grant.accessToken != replaced.accessToken
  }

  /// Whether nothing is lost with it: a client gets another token of its own at any time, and a login whose refresh token stayed the same is on the disk.
  var needsNoStoring: Bool { grant.isForClient || (replaced.map { $0.login == grant.login } ?? false) && !hasRotated }

  /// Whether the grant still replaces the stored one: the account has not been signed out or in since.
  /// A refresh of the stored grant does not count.
  func stillReplaces(_ stored: Grant?) -> Bool {
    guard let stored else { return replaced == nil && !replacesUnreadable }
    if replacesUnreadable { return true }
    guard grant.generation > stored.generation else { return false }
    guard let login = stored.login else { return true }
    return login == grant.login || login == replaced?.login
  }
}
