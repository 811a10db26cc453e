import OAuthCore
import Synchronization

/// The logged facts, in order.
package final class LogRecorder: Sendable {
  private let logged = Mutex<[LogMessage]>([])
  package var all: [LogMessage] { logged.withLock { $0 } }

  package init() {}

  @Sendable package func add(_ log: LogMessage) { logged.withLock { $0.append(log) } }
}
