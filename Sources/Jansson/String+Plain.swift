extension String {
  /// The text without characters that move the cursor, end a line or turn the reading order: control characters (C0, DEL, C1), line and paragraph
  /// separators, and the bidirectional controls of UAX #9. Text from servers, and names, go into messages and log lines this way.
  package var plain: String {
    // Nearly every text is plain already.
    guard unicodeScalars.contains(where: \.isHidden) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.filter { !$0.isHidden }))
  }
}

extension String {
  /// As many whole characters (scalars) as go into so many bytes.
  func prefix(ofBytes limit: Int) -> String {
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
  /// Whether a reader doesn't see it and yet sees the text around it differently.
  fileprivate var isHidden: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
