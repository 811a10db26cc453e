import OAuthCore

/// Hides a password that libpq or the server quotes, because it is in the wrong part of the URI, such as the name of the database.
///
/// A password in the right place is never quoted. The server quotes in its own language, and cuts long names.
struct MisplacedPassword: Sendable {
  /// The longest first, because one begins another.
  private static let names = ["password", "passwd", "pass", "pwd", "secret"]
  /// Parameters whose values are a password in its place, or the path of a file.
  private static let exempt: Set<Substring> = [
    "password", "sslpassword", "passfile", "sslcert", "sslkey", "sslrootcert", "sslcrl", "sslcrldir",
  ]
  /// The shortest part of a word that counts as its beginning.
  private static let shortest = 4

  /// The words that follow the name of a password in the URI, in lower case.
  private var words: Set<Substring> = []
  /// What follows such a name and has no word.
  private var signs: [Substring] = []

  init(_ uri: String) {
    let uri = uri.lowercased()
    let rest = uri[(uri.firstRange(of: "://")?.upperBound ?? uri.startIndex)...]
    let place = rest.prefix { $0 != "?" }
    let authority = place.prefix { $0 != "/" }
    // libpq rejects a host with a sign.
    if authority.contains("@") { add(authority.prefix { !":@".contains($0) }) }
    add(place.dropFirst(authority.count))
    for parameter in rest.dropFirst(place.count + 1).split(separator: "&") where !Self.exempt.contains(parameter.prefix { $0 != "=" }) {
      add(parameter)
    }
  }

  private mutating func add(_ part: Substring) {
    let text = PercentEncoding.lenientText(ArraySlice(part.utf8), plusIsBlank: false).lowercased()
    guard let end = Self.end(of: text) else { return }
    let found = Self.words(of: end)
    words.formUnion(found)
    if found.isEmpty, !end.isEmpty { signs.append(end) }
  }

  /// Returns what follows the first name of a password; nil if there is none.
  private static func end(of text: String) -> Substring? {
    let ranges = names.compactMap { text.firstRange(of: $0) }
    guard let first = ranges.map(\.lowerBound).min(), let name = ranges.first(where: { $0.lowerBound == first }) else { return nil }
    return text[name.upperBound...].drop { $0.isWhitespace || "=:%".contains($0) }
  }

  /// Returns the reason with `…` for what may be a password.
  func hidden(in reason: String) -> String {
    if signs.contains(where: reason.lowercased().contains) { return "…" }
    var shown = ""
    var rest = Self.withoutQuotedNames(reason)[...]
    while let character = rest.first {
      let word = rest.prefix(while: Self.isPartOfWord)
      rest = rest.dropFirst(max(word.count, 1))
      shown += word.isEmpty ? String(character) : isSecret(word.lowercased()) ? "…" : String(word)
    }
    return shown
  }

  /// Whether the word is one of those in the URI, or has one or the beginning of one.
  private func isSecret(_ word: String) -> Bool {
    words.contains(word[...]) || words.contains { $0.count >= Self.shortest && word.contains($0.prefix(Self.shortest)) }
  }

  /// Leaves out quoted text with a name of a password, a sign and more, and everything after a name with a sign. The text may come from a service file
  /// or a variable, too.
  private static func withoutQuotedNames(_ reason: String) -> String {
    let parts = reason.split(separator: "\"", omittingEmptySubsequences: false).enumerated().map { index, part in
      index % 2 == 1 && hasNameAndMore(part.lowercased()) ? "…" : String(part)
    }
    var shown = ""
    for character in parts.joined(separator: "\"") {
      let last = shown.lowercased().split(separator: " ").last ?? ""
      if "=:%".contains(character), names.contains(where: last.hasSuffix) { return shown + "…" }
      shown.append(character)
    }
    return shown
  }

  /// Whether a sign and more follow a name. Other texts, such as `passbolt`, `.pgpass` or `/run/secrets/ca.crt`, are not passwords.
  private static func hasNameAndMore(_ text: String) -> Bool {
    names.contains { name in
      text.ranges(of: name).contains { range in
        let rest = text[range.upperBound...]
        return rest.count > 1 && rest.first.map { $0.isWhitespace || "=:%;&,/".contains($0) } == true
      }
    }
  }

  private static func words(of text: Substring) -> [Substring] { text.split { !isPartOfWord($0) } }

  private static func isPartOfWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}
