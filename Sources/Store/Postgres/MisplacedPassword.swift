import OAuthCore

/// The parts of a database's URI that may be a password in a wrong place, such as in the name of the database.
///
/// libpq and the server quote such a part, and the server does so in its own language. A reason that has a word of it is therefore not shown at all.
struct MisplacedPassword: Sendable {
  private static let names: Set<Substring> = ["password", "passwd", "pass", "pwd", "secret"]
  /// Parameters whose values name no password. libpq's reasons quote the first one.
  private static let harmless = ["passfile=", "require_auth="]

  /// All in lower case.
  private var words: Set<Substring> = []
  /// What follows a name of a password, because a password may have no word.
  private var ends: [Substring] = []

  init(_ uri: String) {
    let text = uri.lowercased()
    let place = text.prefix { $0 != "?" }
    let parts = place.split { "/@,".contains($0) } + text.dropFirst(place.count + 1).split(separator: "&")
    for part in parts where !Self.harmless.contains(where: part.hasPrefix) { add(part) }
  }

  private mutating func add(_ part: Substring) {
    let text = Substring(PercentEncoding.lenientText(ArraySlice(part.utf8), plusIsBlank: false).lowercased())
    guard let name = Self.names.compactMap({ text.firstRange(of: $0) }).min(by: { $0.lowerBound < $1.lowerBound }) else { return }
    words.formUnion(Self.words(of: text).subtracting(Self.names))
    let end = text[name.upperBound...].drop { $0.isWhitespace || "=:%".contains($0) }
    if !end.isEmpty { ends.append(end) }
  }

  /// Whether the reason may quote the password.
  func isQuoted(in reason: String) -> Bool {
    let reason = reason.lowercased()
    return !words.isDisjoint(with: Self.words(of: Substring(reason))) || ends.contains { reason.contains($0) }
  }

  private static func words(of text: Substring) -> Set<Substring> { Set(text.split { !isPartOfWord($0) }) }

  private static func isPartOfWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}
