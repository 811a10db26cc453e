/// JSON built by hand, members in the order given: the demo's answers need no parser, so no library either.
indirect enum JSONText: Sendable {
  case string(String)
  case int(Int)
  case bool(Bool)
  /// Text written as it is, for numbers and strings that no honest writer would produce.
  case raw(String)
  case array([JSONText])
  case object([(String, JSONText)])

  var text: String {
    switch self {
    case .string(let value): Self.quoted(value)
    case .int(let value): String(value)
    case .bool(let value): value ? "true" : "false"
    case .raw(let text): text
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .object(let members): "{" + members.map { Self.quoted($0.0) + ":" + $0.1.text }.joined(separator: ",") + "}"
    }
  }

  /// A string with what RFC 8259 §7 wants escaped.
  private static func quoted(_ value: String) -> String {
    var quoted = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
