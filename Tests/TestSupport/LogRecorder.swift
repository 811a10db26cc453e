import OAuthCore
import Synchronization

/// The logged facts, in order.
package final class LogRecorder: LogSink {
  private let logged = Mutex<[LogMessage]>([])
  package var all: [LogMessage] { logged.withLock { $0 } }

  package init() {}

  package func take(_ log: LogMessage) { logged.withLock { $0.append(log) } }
}
