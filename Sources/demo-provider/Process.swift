import OAuthCore
import Platform

/// The process around the demo: signals, standard streams, clock and random numbers.
enum Process {
  /// Makes SIGTERM and SIGINT end the process with status 0. SIGPIPE is ignored, because a client may leave at any time.
  static func prepareSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGTERM, endQuietly)
    signal(SIGINT, endQuietly)
  }

  /// Ends the process at the end of its input.
  static func waitForEndOfInput() {
    var byte: UInt8 = 0
    while true {
      let count = read(0, &byte, 1)
      if count == 0 || (count < 0 && errno != EINTR) { exit(0) }
    }
  }

  /// Writes all of the text. On an error the rest is lost, because there is no place to report it.
  static func write(_ text: String, to descriptor: Int32) { _ = PosixFile.write(text, to: descriptor) }

  /// Returns the time in Unix milliseconds.
  static func now() -> Int { Clock.system.milliseconds() }

  /// Returns 192 random bits in base64url, more than RFC 6749 §10.10 requires of a token.
  static func randomText() -> String {
    var generator = SystemRandomNumberGenerator()
    return Base64.encodeURL((0..<24).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }
}

private func endQuietly(_ signal: Int32) { _exit(0) }
