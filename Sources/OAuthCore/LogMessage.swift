/// Where the log's lines go.
package protocol LogSink: Sendable {
  func take(_ message: LogMessage)
}

/// A line for the log: diagnostic facts that responses and events do not contain.
/// It holds names, hosts and numbers, never a value from a provider or a caller's secret.
///
/// The lines with several senders are named here. The executable adds its own with `Log.say`.
package struct LogMessage: Sendable, Equatable {
  package enum Level: String, CaseIterable, Comparable, Sendable {
    case error, warning, info, debug

    package static func < (left: Level, right: Level) -> Bool { allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0 }
  }

  package let level: Level
  /// Called only if the log has this level.
  private let write: @Sendable () -> String

  package var text: String { write() }

  package init(_ level: Level, _ text: @escaping @autoclosure @Sendable () -> String) { (self.level, write) = (level, text) }

  package static func == (left: LogMessage, right: LogMessage) -> Bool { left.level == right.level && left.text == right.text }

  package static func grantNotWritten(account: String, reason: String) -> LogMessage {
    .init(.error, "the grant of \(account) could not be written: \(reason)")
  }

  /// A redirect belongs to no open sign-in, or did not come from this process.
  package static let redirectRejected = LogMessage(.warning, "a redirect was rejected: it belongs to no open sign-in")
  /// A configuration file with a secret is readable by other users.
  package static func secretReadable(_ path: String) -> LogMessage {
    .init(.warning, "\(path) contains a secret and other users can read it: run chmod 600 on it")
  }
  /// The process waits for a redirect at an address that other machines reach.
  package static func redirectInClear(_ address: String) -> LogMessage {
    .init(.warning, "code and state pass the network of \(address) in clear: set listen to 127.0.0.1 if the forwarder is on this machine")
  }
  package static func browserNotStarted(account: String) -> LogMessage {
    .init(.warning, "no browser could be started for the sign-in of \(account)")
  }
  /// One of the user's files is broken. The text is the failure's message.
  package static func fileBroken(_ message: String) -> LogMessage { .init(.warning, message) }
  /// The changes of other processes are not noticed.
  package static func storeNotWatched(_ reason: String) -> LogMessage {
    .init(.warning, "changes of accounts by other processes are not reported: \(reason)")
  }

  /// A message of an MCP host did not reach the server. `method` is the message's.
  /// The server may choose the reason, of which a line of the log has 500 characters.
  package static func messageNotForwarded(method: String, reason: String) -> LogMessage {
    .init(.warning, "\(method.plain) was not forwarded: \(reason.prefix(500))")
  }
}
