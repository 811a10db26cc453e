/// A grant that could not be written to disk.
struct UnsavedGrant {
  var grant: Grant
  /// The stored grant at that time.
  var replaced: Grant?

  /// Whether the grant still replaces the stored one: the account has not been signed out or in since.
  /// A refresh of the stored grant does not count.
  func follows(_ stored: Grant?) -> Bool {
    guard let stored else { return replaced == nil }
    guard grant.generation > stored.generation else { return false }
    guard let login = stored.login else { return true }
    return login == grant.login || login == replaced?.login
  }
}
