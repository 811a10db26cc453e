import OAuth

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

  /// What the library has to say; the one way from there into the log.
  func take(_ remark: Remark) {
    switch remark.level {
    case .error: error(remark.text)
    case .warning: warning(remark.text)
    case .debug: debug(remark.text)
    }
  }

  private func say(_ level: Level, _ message: () -> String) {
    guard level <= self.level else { return }
    // A name with a line end in it must not make a second line.
    let text = String(String.UnicodeScalarView(message().unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    Log.line("oauth-stdio: \(level.rawValue): \(text)")
  }

  /// One line in one write; what cannot be written is nobody's loss.
  static func line(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
  }
}
