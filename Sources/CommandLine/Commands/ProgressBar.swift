import Methods
import Platform
import Synchronization

/// One line on the terminal that shows how far a transfer is.
final class ProgressBar: Sendable {
  /// In characters.
  private static let width = 24

  /// The first event's bytes and time in milliseconds, for the rate; nil if no line is shown.
  private let first = Mutex<(bytes: Int, at: Int)?>(nil)

  func show(_ progress: ProgressWasMade) {
    let isUpload = progress.sent > 0 && progress.received == 0
    let done = isUpload ? progress.sent : progress.received
    let now = Clock.system.uptime()
    let began = first.withLock { first in
      let began = first ?? (done, now)
      first = began
      return began
    }
    var line = "\(Self.size(done))"
    if let total = progress.total, total > 0, !isUpload {
      let filled = Self.width * min(done, total) / total
      let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
      line = "[\(bar)] \(100 * min(done, total) / total) %  \(line) of \(Self.size(total))"
    }
    if now > began.at { line += "  \(Self.size((done - began.bytes) * 1000 / (now - began.at)))/s" }
    _ = PosixFile.write("\r\(line)\u{1B}[K", to: 2)
  }

  /// Removes the line, so that others can be printed.
  func clear() { if first.withLock({ $0.take() }) != nil { _ = PosixFile.write("\r\u{1B}[K", to: 2) } }

  /// Returns a number of bytes with three digits.
  private static func size(_ bytes: Int) -> String {
    let units = ["B", "KB", "MB", "GB", "TB"]
    var (value, unit) = (bytes * 10, 0)
    while value >= 10_000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
    return unit == 0 || value >= 1000 ? "\(value / 10) \(units[unit])" : "\(value / 10).\(value % 10) \(units[unit])"
  }
}
