/// Where the log's lines go.
package protocol LogSink: Sendable {
  func take(_ message: LogMessage)
}

/// A line for the log: diagnostic facts that responses and events do not contain.
/// It holds names, hosts and numbers, never a value from a provider or a caller's secret.
///
/// All log lines of the library modules are in this table. The executable adds its own with `Log.say`.
package struct LogMessage: Sendable, Equatable {
  package enum Level: String, CaseIterable, Comparable, Sendable {
    case error, warning, info, debug

    package static func < (left: Level, right: Level) -> Bool { allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0 }
  }

  package let level: Level
  /// Called only if the log has this level.
  private let write: @Sendable () -> String

  package var text: String { write() }

  private init(_ level: Level, _ text: @escaping @autoclosure @Sendable () -> String) { (self.level, write) = (level, text) }

  package static func == (left: LogMessage, right: LogMessage) -> Bool { left.level == right.level && left.text == right.text }

  // MARK: Errors

  package static func useNotRecorded(_ failure: OAuthFailure) -> LogMessage { .init(.error, failure.message) }
  package static func grantNotWritten(account: String, reason: String) -> LogMessage {
    .init(.error, "the grant of \(account) could not be written: \(reason)")
  }

  // MARK: Warnings

  /// A redirect belongs to no open sign-in, or did not come from this process.
  package static let redirectRejected = LogMessage(.warning, "a redirect was rejected: it belongs to no open sign-in")
  package static func doorRefused(account: String) -> LogMessage {
    .init(.warning, "a request to the door for the account \(account) had a wrong secret, and got 401")
  }
  /// Another user of the machine connected to the address of a sign-in, and the connection was rejected.
  package static func connectionRejected(user: Int) -> LogMessage {
    .init(.warning, "a connection from the user \(user) to the redirect address of a sign-in was rejected")
  }
  /// The user behind a connection to the address of a sign-in is unknown. The connection was served.
  package static let connectionUserUnknown = LogMessage(
    .warning, "a connection to the redirect address of a sign-in was served, although its user is unknown")
  /// An imported token has a member that seems to be its end and is no time.
  package static func importedTimeUnread(account: String, member: String) -> LogMessage {
    .init(
      .warning,
      "the member \(member) of the imported \(account) is neither Unix seconds nor ISO 8601 with a zone, so the end of the token is not known"
    )
  }
  package static func fileSetAside(_ path: String) -> LogMessage { .init(.warning, "a damaged grant was set aside as \(path)") }
  /// A browser command failed immediately, and the next one is tried.
  package static func browserFailed(program: String, reason: String) -> LogMessage {
    .init(.warning, "the browser command \(program) failed: \(reason)")
  }
  /// Other users can read a grant or its key. The shell command ends that.
  package static func storeReadable(command: String) -> LogMessage {
    .init(.warning, "other users can read a grant or its key: run \(command)")
  }
  /// A process was stopped while it moved the key of the grants in this folder.
  package static func keyMoveUnfinished(_ folder: String) -> LogMessage {
    .init(.warning, "the key of the grants in \(folder) is being moved, or a move was stopped: run oauth-stdio rekey again to finish it")
  }
  /// The store's key is at one place, and the user wants it at another.
  package static func keyElsewhere(_ source: String, wanted: String) -> LogMessage {
    .init(.warning, "the store's key stays in the \(source), not in the \(wanted): run oauth-stdio rekey \(wanted) to move it")
  }
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
  package static func deviceFlowLeft(account: String) -> LogMessage {
    .init(.warning, "the provider issued no device code for \(account), so the browser is used instead")
  }
  /// A refresh failed for a temporary reason; `kind` is the failure's kind.
  package static func refreshPutOff(account: String, kind: OAuthFailure.Kind) -> LogMessage {
    .init(.warning, "the refresh of \(account) failed and is tried again at the next use (\(kind.rawValue))")
  }
  /// One of the user's files is broken. The text is the failure's message.
  package static func fileBroken(_ message: String) -> LogMessage { .init(.warning, message) }
  /// Another process changed a grant that this one cannot read.
  package static func changeUnread(account: String, reason: String) -> LogMessage {
    .init(.warning, "a change of \(account) is not reported, because its grant cannot be read: \(reason)")
  }
  /// Several accounts serve a host of Git or of a registry. The first is used.
  package static func severalAccounts(_ accounts: [String], host: String) -> LogMessage {
    .init(.warning, "\(accounts.joined(separator: ", ")) serve \(host), and \(accounts[0]) is used: name one in hosts of the configuration")
  }
  /// The changes of other processes are not noticed.
  package static func storeNotWatched(_ reason: String) -> LogMessage {
    .init(.warning, "changes of accounts by other processes are not reported: \(reason)")
  }

  // MARK: Information

  package static func refreshAwaited(account: String, milliseconds: Int) -> LogMessage {
    .init(
      .info,
      "another machine has announced a refresh of \(account) and stored no result; the process waits at most \(milliseconds) ms for it")
  }
  /// Path, query, headers and bodies may contain secrets and are never logged.
  package static func exchanged(method: String, host: String, status: Int, bytes: Int) -> LogMessage {
    .init(.info, "\(method) \(host) answered \(status), \(bytes) bytes")
  }
  package static func exchangeFailed(method: String, host: String, reason: String) -> LogMessage {
    .init(.info, "\(method) \(host) failed: \(reason)")
  }

  /// An MCP server has forgotten the session, and the bridge begins another one.
  package static func sessionEnded(host: String) -> LogMessage { .init(.info, "\(host) has ended the session; another one begins") }
  /// A message of an MCP host did not reach the server. `method` is the message's.
  /// The server may choose the reason, of which a line of the log has 500 characters.
  package static func messageNotForwarded(method: String, reason: String) -> LogMessage {
    .init(.warning, "\(method.plain) was not forwarded: \(reason.prefix(500))")
  }

  /// A list of an MCP server waits until the user has signed in. The sentence has the address of the page.
  package static func signInAwaited(_ sentence: String, seconds: Int) -> LogMessage {
    .init(.warning, "\(sentence) (waiting \(seconds) s)")
  }

  /// An MCP server describes a tool in a way that clients must not accept.
  package static func toolLeftOut(_ name: String) -> LogMessage {
    .init(.warning, "the tool \(name.plain) is left out: its x-mcp-header breaks the rules of MCP")
  }

  // MARK: Details

  /// An MCP server answered a request that is not open, such as a cancelled one.
  package static let answerDropped = LogMessage(.debug, "an answer was dropped: no request waits for it")

  package static let ambiguousMessageDropped = LogMessage(.debug, "a message of the MCP server was dropped: it can be read in two ways")

  /// This process did not open a page because another process has just opened one for the account.
  package static func pageHeldBack(account: String) -> LogMessage {
    .init(.debug, "no page was opened for \(account): another process has just opened one")
  }
  package static func signInOpened(account: String, id: String) -> LogMessage { .init(.debug, "the sign-in \(id) of \(account) is open") }
  package static func signInClosed(account: String, id: String) -> LogMessage { .init(.debug, "the sign-in \(id) of \(account) is closed") }
}
