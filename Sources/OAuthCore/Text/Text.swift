import Platform
import Synchronization

/// An account name compared by its bytes, as file names are. Swift treats canonically equivalent strings as equal.
package struct AccountKey: Hashable, Sendable {
  private let name: String

  package init(_ name: String) { self.name = name }

  package static func == (one: AccountKey, other: AccountKey) -> Bool {
    var (one, other) = (one.name, other.name)
    return one.withUTF8 { one in
      other.withUTF8 { other in one.count == other.count && memcmp(one.baseAddress!, other.baseAddress!, one.count) == 0 }
    }
  }
  package func hash(into hasher: inout Hasher) {
    var name = name
    name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension StringProtocol {
  /// The text without white space at its start and end.
  package var trimmed: SubSequence {
    guard let end = lastIndex(where: { !$0.isWhitespace }) else { return self[endIndex...] }
    return self[...end].drop(while: \.isWhitespace)
  }
}

extension Sequence where Element: Equatable {
  /// The elements without repetitions, in their order.
  var distinct: [Element] { reduce(into: []) { found, element in if !found.contains(element) { found.append(element) } } }
}

/// A word as a POSIX shell and fish read it.
package enum ShellWord {
  /// Returns the word so that a shell takes it literally. A name from outside must not run a command when the user pastes advice.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy {
      $0 < 0x80 && ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || "-._/=:@".utf8.contains($0))
    }
    // zsh replaces a word that begins with an equals sign.
    guard !isPlain || word.isEmpty || word.hasPrefix("=") else { return word }
    // Within single quotes, a backslash stands for itself in a POSIX shell, but not in fish.
    // A shell sees a quote also where a combining mark follows it.
    return "'" + word.unicodeScalars.map { $0 == "'" || $0 == "\\" ? "'\\\($0)'" : String($0) }.joined() + "'"
  }

  /// Returns an option with its value. One that begins with a dash must not be taken for another option.
  package static func option(_ name: String, _ value: String) -> String { "\(name)\(value.hasPrefix("-") ? "=" : " ")\(quoted(value))" }

  /// Returns a word that is not an option.
  package static func operand(_ word: String) -> String { (word.hasPrefix("-") ? "-- " : "") + quoted(word) }
}

/// Text that the user copied from a page or mail, without what surrounds it there. That is white space, quotes and brackets (RFC 3986, appendix C),
/// the end of a sentence, and the syntax of Markdown's links and HTML's `&`.
package struct PastedText {
  private static let opening = "<([{\"'`“‘«"
  private static let closing = ">)]}\"'`”’».,;"

  package let text: String

  package init(_ pasted: String) {
    var rest = pasted.trimmed
    // [text](address)
    if rest.first == "[", let middle = rest.firstRange(of: "](") { rest = rest[middle.upperBound...] }
    while let first = rest.first, first.isWhitespace || Self.opening.contains(first) { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace || Self.closing.contains(last) { rest.removeLast() }
    text = String(rest.replacing("&amp;", with: "&"))
  }
}

/// Text in an HTML page.
package enum HTMLText {
  /// Escapes text for HTML content and quoted attributes. Replaces control characters and those that change the text direction.
  package static func escaped(_ text: String) -> String {
    var result = ""
    // A combining mark must not hide the bracket before it in one Character.
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\t", "\n", "\r": result += " "
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// The hosts outside this machine that http may reach: those that `httpHosts` in the configuration names.
///
/// Endpoints are checked where they are read, far from the configuration, so the process has one rule. It holds no state: the configuration may change.
package enum PlainHosts {
  /// Each read of a function that is itself a lock's value wraps it once more, so the lock has a struct.
  private struct Rule { var isNamed: @Sendable (URLParts) -> Bool = { _ in false } }

  private static let rule = Mutex(Rule())

  /// Sets the rule, which each check asks. It must not check an endpoint itself.
  package static func allow(_ isNamed: @escaping @Sendable (URLParts) -> Bool) { rule.withLock { $0.isNamed = isNamed } }

  /// Returns the host and port that an entry of `httpHosts` names; nil if it is anything else.
  package static func entry(_ text: String) -> URLParts? {
    URLParts(scheme: "http", host: text).flatMap { $0.explicitPort == nil ? nil : $0 }
  }

  static func name(_ url: URLParts) -> Bool { rule.withLock { $0.isNamed }(url) }
}
