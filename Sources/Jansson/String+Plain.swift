extension String {
  /// The text without characters that move the cursor, end a line or change the reading order. These are the controls (C0, DEL, C1), line and
  /// paragraph separators, and the bidirectional controls of UAX #9. Messages and log lines pass text from servers, and names, through this.
  package var plain: String {
    // Most texts are plain already.
    guard unicodeScalars.contains(where: \.isHidden) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.filter { !$0.isHidden }))
  }

  /// The same with the line ends and tabs.
  package var plainLines: String {
    guard unicodeScalars.contains(where: \.isHidden) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.filter { !$0.isHidden || $0 == "\n" || $0 == "\t" }))
  }
}

extension String {
  /// Returns as many whole scalars as fit into that many bytes.
  package func prefix(ofBytes limit: Int) -> String {
    var bytes = 0
    return String(
      String.UnicodeScalarView(
        unicodeScalars.prefix { scalar in
          bytes += UTF8.width(scalar)
          return bytes <= limit
        }))
  }
}

extension Unicode.Scalar {
  /// Whether the character is invisible but changes how the text around it looks.
  package var isHidden: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
