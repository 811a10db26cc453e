/// Holds an account's lock until it is deinitialized.
package final class GrantLock: Sendable {
  private let release: @Sendable () -> Void

  package init(release: @escaping @Sendable () -> Void) { self.release = release }

  deinit { release() }
}
