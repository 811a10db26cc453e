import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file of texts for two parsers: ours and libcurl's. Its head describes the format.
struct Corpus {
  struct Entry: CustomTestStringConvertible {
    var line: Int
    var isAccepted: Bool
    var text: String
    /// What libcurl reads instead; nil if it must agree with our parser.
    var exception: String?

    var testDescription: String { "line \(line)" }
  }

  let entries: [Entry]

  init(_ name: String) throws {
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let file = try #require(fopen("\(folder)/Corpora/\(name)", "r"), "\(name) is not there")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    var entries: [Entry] = []
    for (index, line) in String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.isEmpty || line.hasPrefix("#") { continue }
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      let reason = fields.count == 3 ? fields[2].split(separator: " because ") : []
      guard (2...3).contains(fields.count), ["+", "-"].contains(fields[0]), fields.count == 2 || (reason.count == 2 && fields[0] == "+")
      else {
        Issue.record("\(name):\(index + 1) is invalid")
        continue
      }
      entries.append(
        Entry(line: index + 1, isAccepted: fields[0] == "+", text: Self.expanded(fields[1]), exception: reason.first.map(String.init)))
    }
    self.entries = entries
  }

  /// Replaces the escapes: `\t`, `\n`, `\r`, `\\`, `\u{HEX}` and `\{COUNT:TEXT}`.
  private static func expanded(_ text: Substring) -> String {
    var result = ""
    var rest = text
    while let character = rest.popFirst() {
      guard character == "\\", let name = rest.popFirst() else {
        result.append(character)
        continue
      }
      switch name {
      case "t": result += "\t"
      case "n": result += "\n"
      case "r": result += "\r"
      case "u":
        let digits = rest.dropFirst().prefix { $0 != "}" }
        rest = rest.dropFirst(digits.count + 2)
        if let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) { result.unicodeScalars.append(scalar) }
      case "{":
        let content = rest.prefix { $0 != "}" }
        rest = rest.dropFirst(content.count + 1)
        let parts = content.split(separator: ":", maxSplits: 1)
        if parts.count == 2, let count = Int(parts[0]) { result += String(repeating: String(parts[1]), count: count) }
      default: result.append(name)
      }
    }
    return result
  }
}
