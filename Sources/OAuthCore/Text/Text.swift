import Jansson
import Synchronization

/// An account name compared by its bytes, as file names are. Swift treats canonically equivalent strings as equal.
package struct AccountKey: Hashable, Sendable {
  private let bytes: [UInt8]

  package init(_ name: String) { bytes = Array(name.utf8) }
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

/// Percent-encoding (RFC 3986 §2.1), in the form that OAuth 1.0 signs (RFC 5849 §3.6).
package enum PercentEncoding {
  /// Keeps the unreserved characters `A-Z a-z 0-9 - . _ ~`; every other byte of the UTF-8 becomes `%XX` with capital digits.
  package static func encode(_ text: String) -> String { encode(text.utf8) }

  package static func encode(_ bytes: some Sequence<UInt8>) -> String { encode(bytes, keeping: isUnreserved) }

  static func encode(_ bytes: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool) -> String {
    var encoded: [UInt8] = []
    for byte in bytes {
      if isKept(byte) { encoded.append(byte) } else { append(byte, to: &encoded) }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Returns the decoded text; nil if an escape is broken or the bytes are not UTF-8.
  package static func decode(_ text: String) -> String? {
    guard let bytes = decode(ArraySlice(text.utf8), plusIsBlank: false) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Returns the decoded bytes; nil if a percent sign is not followed by two hexadecimal digits.
  package static func decode(_ text: ArraySlice<UInt8>, plusIsBlank: Bool) -> [UInt8]? {
    var isWhole = true
    let bytes = decode(text, plusIsBlank: plusIsBlank) { isWhole = false }
    return isWhole ? bytes : nil
  }

  /// Returns the decoded bytes and keeps broken escapes as they are.
  package static func decodeLeniently(_ text: ArraySlice<UInt8>, plusIsBlank: Bool) -> [UInt8] { decode(text, plusIsBlank: plusIsBlank) {} }

  /// Returns the decoded text. Broken escapes stay as they are, and a byte that is not UTF-8 becomes U+FFFD.
  package static func lenientText(_ text: ArraySlice<UInt8>, plusIsBlank: Bool) -> String {
    String(decoding: decodeLeniently(text, plusIsBlank: plusIsBlank), as: UTF8.self)
  }

  private static func decode(_ text: ArraySlice<UInt8>, plusIsBlank: Bool, brokenEscape: () -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      index += 1
      if byte == UInt8(ascii: "%") {
        if text.endIndex - index >= 2, let high = hexDigitValue(text[index]), let low = hexDigitValue(text[index + 1]) {
          bytes.append(high << 4 | low)
          index += 2
        } else {
          brokenEscape()
          bytes.append(byte)
        }
      } else {
        bytes.append(plusIsBlank && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return bytes
  }

  package static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "%"))
    bytes.append(hexDigit(byte >> 4))
    bytes.append(hexDigit(byte & 0x0F))
  }

  /// RFC 3986 §2.3.
  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: isASCIILetterOrDigit(byte)
    }
  }

  /// Returns a capital digit: RFC 3986 §2.1 prefers capitals, RFC 5849 §3.6 requires them.
  private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value }
}

/// `application/x-www-form-urlencoded` (RFC 6749 Appendix B, WHATWG URL §5): ordered pairs of names and values; a name may repeat.
package struct FormEncoding {
  /// Encodes pairs: a space becomes `+`; letters, digits and `*-._` stay; every other byte of the UTF-8 becomes `%XX`.
  package static func encode(_ pairs: [(String, String)]) -> String {
    pairs.map { encode($0.0) + "=" + encode($0.1) }.joined(separator: "&")
  }

  /// Encodes one name or value by the same rules, as RFC 6749 §2.3.1 requires for both parts of Basic credentials.
  package static func encode(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the pairs of any form: a broken escape stays as it is, and a byte that is not UTF-8 becomes U+FFFD. Ignores empty parts between
  /// `&`; a part without `=` has an empty value.
  ///
  /// Browsers do the same (WHATWG URL §5.1). A stray `%` in a redirect must not hide the `state` beside it.
  package static func decodeLeniently(_ form: String) -> [(String, String)] { decodeLeniently(Array(form.utf8)) }

  package static func decodeLeniently(_ form: [UInt8]) -> [(String, String)] {
    parts(form).map { (PercentEncoding.lenientText($0.name, plusIsBlank: true), PercentEncoding.lenientText($0.value, plusIsBlank: true)) }
  }

  /// Returns the pairs as they are encoded.
  package static func parts(_ form: some Sequence<UInt8>) -> [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
    Array(form).split(separator: UInt8(ascii: "&")).map { part in
      let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
      return (part[..<equals], part[equals...].dropFirst())
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: " "): bytes.append(UInt8(ascii: "+"))
      case UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): bytes.append(byte)
      case _ where isASCIILetterOrDigit(byte): bytes.append(byte)
      default: PercentEncoding.append(byte, to: &bytes)
      }
    }
  }
}
