import Synchronization

/// The terminal where a person reads standard error and types on standard input.
package enum Terminal {
  /// In bytes. A terminal cuts a longer line (termios(3)).
  package static let lineLimit = 4095

  package static var isThere: Bool { isatty(0) == 1 && isatty(2) == 1 }

  /// The terminal's settings from before the echo was turned off; nil while it is on.
  private static let usual = Mutex<termios?>(nil)

  /// Asks a question, writes a space after it, and returns the answer without spaces around it, or nil at the end of input. The terminal does not show a hidden answer.
  package static func ask(_ question: String, isHidden: Bool = false) -> String? {
    // Before the question, because the answer may come at once.
    if isHidden { hide() }
    _ = PosixFile.write(wrapped(question, to: width(of: 2)) + " ", to: 2)
    defer {
      if isHidden {
        restore()
        // The user's line end was hidden, too.
        _ = PosixFile.write("\n", to: 2)
      }
    }
    guard let line = readLine() else { return nil }
    let isSpace = { (character: Character) in character.isWhitespace }
    return String(line.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }

  private static func hide() {
    var settings = termios()
    guard tcgetattr(0, &settings) == 0 else { return }
    usual.withLock { $0 = settings }
    settings.c_lflag &= ~tcflag_t(ECHO)
    // Ctrl-\ and Ctrl-Z would leave a terminal that shows nothing.
    withUnsafeMutableBytes(of: &settings.c_cc) { keys in
      for key in [VQUIT, VSUSP] { keys[Int(key)] = UInt8(truncatingIfNeeded: fpathconf(0, Int32(_PC_VDISABLE))) }
    }
    tcsetattr(0, TCSADRAIN, &settings)
  }

  /// Makes the terminal show again what is typed. Call it before the process ends.
  package static func restore() {
    guard var settings = usual.withLock({ $0.take() }) else { return }
    tcsetattr(0, TCSADRAIN, &settings)
  }
}
