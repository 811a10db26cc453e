#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Lines on stderr for whoever looks for a fault; names, hosts and numbers, never params, bodies or anything else that may be secret.
struct Log: Sendable {
  enum Level: String, CaseIterable, Sendable, Comparable {
    case error, warning, info, debug

    static func < (left: Level, right: Level) -> Bool {
      allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
  }

  let level: Level

  func error(_ message: @autoclosure () -> String) { say(.error, message) }
  func warning(_ message: @autoclosure () -> String) { say(.warning, message) }
  func info(_ message: @autoclosure () -> String) { say(.info, message) }
  func debug(_ message: @autoclosure () -> String) { say(.debug, message) }

  private func say(_ level: Level, _ message: () -> String) {
    guard level <= self.level else { return }
    Log.line("oauth-stdio: \(level.rawValue): \(message())")
  }

  /// One line in one write; what cannot be written is nobody's loss.
  static func line(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
  }
}
