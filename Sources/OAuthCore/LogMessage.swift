/// A line for the log: diagnostic facts that responses and events do not contain.
/// It holds names, hosts and numbers, never a value from a provider or a caller's secret.
///
/// All log lines of the library modules are among these cases. The executable adds its own with `Log.say`.
package enum LogMessage: Sendable, Equatable {
  package enum Level: String, CaseIterable, Comparable, Sendable {
    case error, warning, info, debug

    package static func < (left: Level, right: Level) -> Bool {
      allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
  }

  /// A redirect belongs to no open sign-in, or did not come from this process.
  case redirectRejected
  /// Another user of the machine connected to the address of a sign-in, and the connection was rejected.
  case connectionRejected(user: Int)
  /// The user behind a connection to the address of a sign-in is unknown. The connection was served.
  case connectionUserUnknown
  case fileSetAside(String)
  /// A browser command failed immediately, and the next one is tried.
  case browserFailed(program: String, reason: String)
  /// Other users can read a grant or its key. The shell command ends that.
  case storeReadable(command: String)
  /// A process was stopped while it moved the key of the grants in this folder.
  case keyMoveUnfinished(String)
  /// The store's key is at one place, and the user wants it at another.
  case keyElsewhere(String, wanted: String)
  /// A configuration file with a secret is readable by other users.
  case secretReadable(String)
  case browserNotStarted(account: String)
  case deviceFlowLeft(account: String)
  /// A refresh failed for a temporary reason; `kind` is the failure's kind.
  case refreshPutOff(account: String, kind: OAuthFailure.Kind)
  /// One of the user's files is broken. The text is the failure's message.
  case fileBroken(String)
  case grantNotWritten(account: String, reason: String)
  case refreshed(account: String, Reason)
  /// Another process changed a grant that this one cannot read.
  case changeUnread(account: String, reason: String)
  /// Several accounts serve a host of Git or of a registry. The first is used.
  case severalAccounts([String], host: String)
  /// The changes of other processes are not noticed.
  case storeNotWatched(String)
  /// Another process held the account's lock for this many milliseconds.
  case lockAwaited(account: String, milliseconds: Int)
  case refreshAwaited(account: String, milliseconds: Int)
  /// This process did not open a page because another process has just opened one for the account.
  case pageHeldBack(account: String)
  case signInOpened(account: String, id: String)
  case signInClosed(account: String, id: String)
  /// An issuer's keys were fetched. They are valid for this many seconds.
  case keysFetched(host: String, seconds: Int)
  /// Path, query, headers and bodies may contain secrets and are never logged.
  case exchanged(method: String, host: String, status: Int, bytes: Int)
  case exchangeFailed(method: String, host: String, reason: String)
  /// A provider's published metadata was fetched.
  case discovered(host: String)

  package enum Reason: String, Sendable {
    case forced = "a new token was requested"
    case expiring = "its access token was about to expire"
    case ahead = "its access token was due for an early renewal"
    case idToken = "its ID token was about to expire"
  }

  package var level: Level {
    switch self {
    case .grantNotWritten: .error
    case .redirectRejected, .connectionRejected, .connectionUserUnknown, .fileSetAside, .storeReadable, .keyElsewhere, .keyMoveUnfinished,
      .secretReadable,
      .browserFailed,
      .browserNotStarted, .deviceFlowLeft, .refreshPutOff, .fileBroken, .changeUnread, .severalAccounts, .storeNotWatched:
      .warning
    case .exchanged, .exchangeFailed: .info
    case .refreshAwaited: .info
    case .refreshed, .lockAwaited, .pageHeldBack, .signInOpened, .signInClosed, .keysFetched, .discovered: .debug
    }
  }

  package var text: String {
    switch self {
    case .redirectRejected: "a redirect was rejected: it belongs to no open sign-in"
    case .connectionRejected(let user): "a connection from the user \(user) to the redirect address of a sign-in was rejected"
    case .connectionUserUnknown: "a connection to the redirect address of a sign-in was served, although its user is unknown"
    case .fileSetAside(let path): "a damaged grant was set aside as \(path)"
    case .browserFailed(let program, let reason): "the browser command \(program) failed: \(reason)"
    case .storeReadable(let command): "other users can read a grant or its key: run \(command)"
    case .keyMoveUnfinished(let folder):
      "the key of the grants in \(folder) is being moved, or a move was stopped: run oauth-stdio rekey again to finish it"
    case .keyElsewhere(let source, let wanted):
      "the store's key stays in the \(source), not in the \(wanted): run oauth-stdio rekey \(wanted) to move it"
    case .secretReadable(let path): "\(path) contains a secret and other users can read it: run chmod 600 on it"
    case .browserNotStarted(let account): "no browser could be started for the sign-in of \(account)"
    case .deviceFlowLeft(let account): "the provider issued no device code for \(account), so the browser is used instead"
    case .refreshPutOff(let account, let kind): "the refresh of \(account) failed and is tried again at the next use (\(kind.rawValue))"
    case .fileBroken(let message): message
    case .grantNotWritten(let account, let reason): "the grant of \(account) could not be written: \(reason)"
    case .refreshed(let account, let reason): "\(account) was refreshed: \(reason.rawValue)"
    case .refreshAwaited(let account, let milliseconds):
      "another machine has announced a refresh of \(account) and stored no result; the process waits at most \(milliseconds) ms for it"
    case .changeUnread(let account, let reason): "a change of \(account) is not reported, because its grant cannot be read: \(reason)"
    case .severalAccounts(let accounts, let host):
      "\(accounts.joined(separator: ", ")) serve \(host), and \(accounts[0]) is used: name one in hosts of the configuration"
    case .storeNotWatched(let reason): "changes of accounts by other processes are not reported: \(reason)"
    case .lockAwaited(let account, let milliseconds): "the process waited \(milliseconds) ms for the lock of \(account)"
    case .pageHeldBack(let account): "no page was opened for \(account): another process has just opened one"
    case .signInOpened(let account, let id): "the sign-in \(id) of \(account) is open"
    case .signInClosed(let account, let id): "the sign-in \(id) of \(account) is closed"
    case .keysFetched(let host, let seconds): "the keys of \(host) were fetched and are cached for \(seconds) s"
    case .exchanged(let method, let host, let status, let bytes): "\(method) \(host) answered \(status), \(bytes) bytes"
    case .exchangeFailed(let method, let host, let reason): "\(method) \(host) failed: \(reason)"
    case .discovered(let host): "the metadata of \(host) was fetched"
    }
  }
}
