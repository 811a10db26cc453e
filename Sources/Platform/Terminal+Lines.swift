/// Lines for a person, which end between words.
extension Terminal {
  /// Returns the columns of the terminal, or those that COLUMNS names; nil if the descriptor is no terminal.
  package static func width(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    if let columns = getenv("COLUMNS").flatMap({ Int(String(cString: $0)) }), columns > 0 { return columns }
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// Returns the text after `start` in lines of the width; as it is without a width. Further lines begin below the end of `start`.
  ///
  /// The user copies words, URLs and advised commands, so no line ends in one. What is longer than a line begins at the left edge.
  package static func wrapped(_ text: String, after start: String = "", to width: Int?) -> String {
    guard let width, !text.isEmpty else { return start + text }
    let margin = String(repeating: " ", count: start.count)
    var (lines, line) = ([String](), start)
    for part in text.split(separator: "\n") {
      let indent = margin + part.prefix { $0 == " " }
      line += indent.dropFirst(margin.count)
      var (rest, last, isNew) = (part.split(separator: " ")[...], "", true)
      while var unit = rest.popFirst().map(String.init) {
        if last.hasSuffix(":"), unit == "oauth-stdio" || unit == "git" {
          unit = ([unit[...]] + rest).joined(separator: " ")
          rest = []
        }
        let isLong = indent.count + unit.count > width
        if isNew ? isLong && line != indent : line.count + 1 + unit.count > width {
          lines.append(line)
          (line, isNew) = (indent, true)
        }
        line = isNew && isLong ? unit : line + (isNew ? "" : " ") + unit
        (last, isNew) = (unit, false)
      }
      lines.append(line)
      line = margin
    }
    return lines.joined(separator: "\n")
  }
}
