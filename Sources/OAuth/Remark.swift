/// What no answer and no event tells, for whoever looks for a fault: names, hosts and numbers, never a value that came from a provider or a caller's secret.
///
/// Every line that this module has to say of itself is one of these cases, so that what a log can hold is seen here.
package enum Remark: Sendable, Equatable {
  package enum Level: String, Sendable { case error, warning, debug }

  /// A redirect came for a sign-in that is not open, or was never one of ours.
  case redirectRefused
  /// Another user of the machine came to the address of a sign-in.
  case visitorRefused(user: Int)
  /// It could not be told which user came to the address of a sign-in, so the connection was served.
  case visitorUnknown
  case fileSetAside(String)
  /// A browser command failed at once, so that the next one is tried.
  case browserFailed(program: String, reason: String)
  /// A store that other users could enter.
  case folderTightened(String)
  /// A configuration with a secret that other users can read.
  case secretReadable(String)
  case browserNotStarted(account: String)
  case deviceFlowLeft(account: String)
  /// A refresh failed in a way that may pass; `kind` is the failure's.
  case refreshPutOff(account: String, kind: OAuthFailure.Kind)
  /// A file of the user's is broken, as the failure's message has it.
  case fileBroken(String)
  case grantNotWritten(account: String, reason: String)
  case refreshed(account: String, Reason)
  /// Another process had the account's lock for so many milliseconds.
  case lockAwaited(account: String, milliseconds: Int)
  /// Another process has just opened a page for the account, so that ours is not.
  case pageHeldBack(account: String)
  case signInOpened(account: String, id: String)
  case signInClosed(account: String, id: String)
  /// An issuer's keys were fetched, and are good for so many seconds.
  case keysFetched(host: String, seconds: Int)
  /// What is published about a provider was fetched.
  case discovered(host: String)

  package enum Reason: String, Sendable {
    case forced = "a new token was asked for"
    case expiring = "its access token was at its end"
    case ahead = "its access token was due to be renewed ahead"
    case idToken = "its id token was at its end"
  }

  package var level: Level {
    switch self {
    case .grantNotWritten: .error
    case .redirectRefused, .visitorRefused, .visitorUnknown, .fileSetAside, .folderTightened, .secretReadable, .browserFailed,
      .browserNotStarted, .deviceFlowLeft, .refreshPutOff, .fileBroken:
      .warning
    case .refreshed, .lockAwaited, .pageHeldBack, .signInOpened, .signInClosed, .keysFetched, .discovered: .debug
    }
  }

  package var text: String {
    switch self {
    case .redirectRefused: "a redirect was refused: it belongs to no open sign-in"
    case .visitorRefused(let user): "a connection of the user \(user) to the address of a sign-in was refused"
    case .visitorUnknown: "a connection to the address of a sign-in was served, though its user could not be determined"
    case .fileSetAside(let path): "a damaged grant was set aside as \(path)"
    case .browserFailed(let program, let reason): "the browser command \(program) failed: \(reason)"
    case .folderTightened(let path): "other users could enter \(path): its mode is 0700 now, and that of its files 0600"
    case .secretReadable(let path): "the configuration \(path) contains a secret and other users can read it: chmod 600 keeps them out"
    case .browserNotStarted(let account): "no browser could be started for the sign-in of \(account)"
    case .deviceFlowLeft(let account): "the provider gave no device code for \(account), so its page is asked for instead"
    case .refreshPutOff(let account, let kind): "the refresh of \(account) failed and is tried again at the next use (\(kind.rawValue))"
    case .fileBroken(let message): message
    case .grantNotWritten(let account, let reason): "the grant of \(account) could not be written: \(reason)"
    case .refreshed(let account, let reason): "\(account) was refreshed: \(reason.rawValue)"
    case .lockAwaited(let account, let milliseconds): "the lock of \(account) was waited for, \(milliseconds) ms"
    case .pageHeldBack(let account): "no page was opened for \(account): another process has just opened one"
    case .signInOpened(let account, let id): "the sign-in \(id) of \(account) is open"
    case .signInClosed(let account, let id): "the sign-in \(id) of \(account) is closed"
    case .keysFetched(let host, let seconds): "the keys of \(host) were fetched and are kept for \(seconds) s"
    case .discovered(let host): "what is published about \(host) was fetched"
    }
  }
}
