import Synchronization

/// The hosts outside this machine that http may reach: those that `httpHosts` in the configuration names.
///
/// Endpoints are checked where they are read, far from the configuration, so the process has one rule. It holds no state: the configuration may change.
package enum PlainHosts {
  private static let rule = Mutex<@Sendable (URLParts) -> Bool>({ _ in false })

  /// Sets the rule, which each check asks. It must not check an endpoint itself.
  package static func allow(_ isNamed: @escaping @Sendable (URLParts) -> Bool) { rule.withLock { $0 = isNamed } }

  /// Returns the host and port that an entry of `httpHosts` names; nil if it is anything else.
  package static func entry(_ text: String) -> URLParts? {
    URLParts(scheme: "http", host: text).flatMap { $0.explicitPort == nil ? nil : $0 }
  }

  static func name(_ url: URLParts) -> Bool { rule.withLock { $0 }(url) }
}
