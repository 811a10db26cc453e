/// A value that prints without its content, which keeps secrets out of log lines, messages, crash reports and `dump`.
package protocol Confidential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Confidential {
  package var description: String { "…" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
