/// Which process opens an account's page.
package enum BrowserLock: Sendable {
  /// This process opens it, and holds the turn until it releases the lock or ends. nil if the turn is shared or cannot be determined.
  case ours(GrantLock?)
  /// Another process has opened it.
  case anothers
}
