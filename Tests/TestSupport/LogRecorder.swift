import OAuthCore
import Synchronization

/// The logged facts, in order.
package final class LogRecorder: LogSink {
  private let logged = Mutex<[LogMessage]>([])
  private let onMessage: @Sendable (LogMessage) -> Void

  package init(onMessage: @escaping @Sendable (LogMessage) -> Void = { _ in }) { self.onMessage = onMessage }

  package var all: [LogMessage] { logged.withLock { $0 } }

  package func take(_ log: LogMessage) {
    logged.withLock { $0.append(log) }
    onMessage(log)
  }
}
