import OAuthCore

/// Notices changes of grants, also those that other processes make.
package protocol AccountWatcher: Sendable {
  /// Calls `onChange` with an account's name after its grant may have changed, and with nil after any grant may have.
  /// `onChange` returns at once, and its calls may come from any thread. Called once.
  ///
  /// When it returns, every later change is noticed. A store that needs longer to begin reports nil when it has begun.
  /// Throws if the changes of other processes cannot be noticed.
  func watch(_ onChange: @escaping @Sendable (_ account: String?) -> Void) throws(OAuthFailure)
}
