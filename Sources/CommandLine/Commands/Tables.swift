import Calls
import Jansson
import Platform

/// Rows for a person, of which the first has the titles. Columns that are too wide for the terminal have cells of several lines.
enum TextTable {
  /// Where the words of a row are too long for the width, each row is a list.
  static func text(_ rows: [[String]], width: Int?) -> String {
    let columns = rows[0].indices.map { column in rows.map { $0[column] } }
    let words = columns.map { longest($0.flatMap { $0.split(separator: " ").map(String.init) }) }
    let room = (width ?? .max) - 2 * (columns.count - 1)
    var widths = columns.map(longest)
    guard words.reduce(0, +) <= room else {
      let starts = rows[0].map { padded($0, longest(rows[0]) + 2) }
      let lists = rows.dropFirst().map { zip(starts, $0).map { Terminal.wrapped($1, after: $0, to: width) + "\n" }.joined() }
      return lists.joined(separator: "\n")
    }
    while widths.reduce(0, +) > room, let widest = widths.indices.filter({ widths[$0] > words[$0] }).max(by: { widths[$0] < widths[$1] }) {
      widths[widest] -= 1
    }
    return rows.map { row in
      let cells = zip(row, widths).map { Terminal.wrapped($0, to: width == nil ? nil : $1).split(separator: "\n") }
      return (0..<(cells.map(\.count).max() ?? 0)).map { index in
        var line = zip(cells, widths).map { padded($0.dropFirst(index).first.map(String.init) ?? "", $1) }.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line + "\n"
      }.joined()
    }.joined()
  }
}

extension CommandSession {
  /// Returns the table of all providers with names.
  func providers(width: Int?) -> String {
    let rows = catalog.allNames.map { [$0, title(of: $0)] }
    let advice = Terminal.wrapped("Sign in with: \(program) login PROVIDER", to: width)
    return TextTable.text([["PROVIDER", "NAME"]] + rows, width: width) + advice + "\n"
  }

  private func title(of preset: String) -> String {
    (try? catalog.description(of: preset))?.first { $0.name == "name" }?.value.string ?? preset
  }

  /// Returns the name of the provider in the account's entry, for an account without a grant; nil if the configuration has none.
  func provider(of account: String) -> String? {
    let provider = (try? configuration.file.read())??["accounts"]?[account]?["provider"]
    return provider?["name"]?.string ?? (provider?.string ?? provider?["preset"]?.string).map(title)
  }
}

/// What `doctor` found, as text for a person.
enum FindingList {
  /// `command` is the program with the options that its advice must repeat.
  static func text(_ result: JSON, _ command: String, width: Int?) -> String {
    let findings = result["findings"]?.array ?? []
    let words = Finding.State.allCases.map(\.rawValue)
    let (states, checks) = (longest(words), longest(findings.compactMap { $0["check"]?.string }))
    let lines = findings.map { finding in
      func text(_ name: String) -> String { finding[name]?.string?.plain ?? "" }
      let state = text("state") == Finding.State.failed.rawValue ? "FAILED" : text("state")
      let start = "\(padded(state, states))  \(padded(text("check"), checks))  "
      let line = Terminal.wrapped(width == nil ? text("message") : isolated(text("message")), after: start, to: width)
      guard finding["advice"] != nil else { return line + "\n" }
      return "\(line)\n\(Terminal.wrapped(advice(text("advice"), command), after: padded("", start.count) + "→ ", to: width))\n"
    }
    return lines.joined() + Terminal.wrapped(result["program"]?.string ?? "", to: width) + "\n"
  }

  /// Returns the text with each URL on a line of its own, for the user to copy.
  private static func isolated(_ text: String) -> String {
    text.split(separator: " ").map { $0.contains("://") ? "\n\($0.last == "," ? $0.dropLast() : $0)\n" : $0 }.joined(separator: " ")
  }

  /// Returns the advice with the options of the program. Only its beginning is replaced: what follows may contain an account's name.
  private static func advice(_ text: String, _ command: String) -> String {
    let begin = "sign in: oauth-stdio "
    return text.hasPrefix(begin) ? "sign in: \(command) " + text.dropFirst(begin.count) : text
  }
}

private func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }

private func longest(_ words: [String]) -> Int { words.map(\.count).max() ?? 0 }
