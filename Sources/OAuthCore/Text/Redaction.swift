import Jansson

/// Hides secrets in text that a server sent: the secrets that were sent to the server, in every encoding in which it may quote them.
package struct Redaction: Sendable {
  package static let none = Redaction([])

  /// Characters. Longer than any provider's error description needs to be.
  private static let limit = 500

  /// The bytes of a body that are shown, and the bytes that are searched for secrets before the cut.
  private static let bodyLimit = 4_096
  private static let readLimit = 65_536

  /// Characters. A message is one line on a page or in an editor.
  private static let sentenceLimit = 200

  /// Bytes. A shorter value is not a secret, and hiding it would remove parts of ordinary words.
  private static let shortest = 4

  private let secrets: [Secret]

  package init(_ secrets: [Secret]) { self.secrets = secrets }

  /// Made when something is to be hidden. Most responses are no errors, and making them before took 18 µs of a refresh.
  private var spellings: [[UInt8]] {
    let all = secrets.map(\.value).flatMap(Self.spellings).filter { $0.utf8.count >= Self.shortest }
    // Longer spellings first: otherwise a shorter one inside would be replaced and leave pieces of the longer one.
    return Set(all.map { Array($0.utf8) }).sorted { $0.count > $1.count }
  }

  private static func spellings(of secret: String) -> [String] {
    let encoded = Base64.pieces(of: Array(secret.utf8))
    // Python's quote keeps slashes.
    let partly = PercentEncoding.encode(secret).replacing("%2F", with: "/")
    // Some writers of JSON escape slashes.
    let escaped = ([secret] + encoded).map { $0.replacing("/", with: "\\/") }
    return [secret, FormEncoding.encode(secret), PercentEncoding.encode(secret), partly] + encoded + encoded.map(FormEncoding.encode)
      + escaped
  }

  /// Returns text fit for a message: one line, without secrets, at most 500 characters.
  ///
  /// Compares bytes, since a combining mark after a secret changes its characters but not its bytes. Cuts last, since half a secret would not be
  /// recognised.
  package func clean(_ text: String) -> String {
    var bytes = Array(text.plain.utf8)
    for spelling in spellings { bytes = Self.hide(spelling, in: bytes) }
    return String(String.UnicodeScalarView(String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix(Self.limit)))
  }

  /// Returns the whole text without secrets.
  package func hide(in text: String) -> String { Self.hide(spellings, in: text) }

  private static func hide(_ spellings: [[UInt8]], in text: String) -> String {
    String(decoding: spellings.reduce(Array(text.utf8)) { hide($1, in: $0) }, as: UTF8.self)
  }

  /// Returns the body without secrets. In JSON, they are looked for in the texts, however those are escaped, and JSON stays JSON.
  package func hide(in body: [UInt8]) -> [UInt8] {
    let spellings = spellings
    guard let first = body.first(where: { $0 > 0x20 }), "{[\"".utf8.contains(first), let json = try? JSON.parse(body) else {
      return spellings.reduce(body) { Self.hide($1, in: $0) }
    }
    let shown = Self.hide(spellings, in: json)
    return shown == json ? body : shown.text
  }

  private static func hide(_ spellings: [[UInt8]], in json: JSON) -> JSON {
    switch json {
    case .string(let text): .string(hide(spellings, in: text))
    case .array(let values): .array(values.map { hide(spellings, in: $0) })
    case .object(let members): .object(members.map { JSON.Member(hide(spellings, in: $0.name), hide(spellings, in: $0.value)) })
    default: json
    }
  }

  /// Returns a body for display, at most 4 KiB: secrets hidden, control characters removed except line ends and tabs.
  func cleanBody(_ body: [UInt8]) -> String {
    let text = String(decoding: body.prefix(Self.readLimit), as: UTF8.self).unicodeScalars
    let printable = String(String.UnicodeScalarView(text.lazy.filter { $0.value >= 0x20 && $0.value != 0x7F || $0 == "\n" || $0 == "\t" }))
    var bytes = Array(printable.utf8)
    let spellings = spellings
    for spelling in spellings { bytes = Self.hide(spelling, in: bytes) }
    // The last bytes may be the beginning of a secret that was read only in part, and that the hidden ones before it bring into view.
    // A character that was read in part is shown as three bytes.
    if body.count > Self.readLimit, let longest = spellings.first { bytes.removeLast(min(bytes.count, longest.count + 2)) }
    if bytes.count > Self.bodyLimit { bytes.removeLast(bytes.count - Self.bodyLimit) }
    // Removes a character that was cut in two.
    while let last = bytes.last, last >= 0x80, String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the server's error description as the end of a message; empty if there is none.
  package func sentence(_ description: String?) -> String {
    guard let description else { return "" }
    let text = clean(description)
    let shown = text.unicodeScalars.prefix(Self.sentenceLimit)
    return shown.isEmpty ? "" : ": \(String(shown))" + (shown.count < text.unicodeScalars.count ? "…" : "")
  }

  /// Returns the error page that a server names (RFC 6749, 5.2). Only https is passed on, since clients show it as a link.
  func errorPage(_ uri: String?) -> JSON.Member? {
    guard let uri, uri.lowercased().hasPrefix("https://") else { return nil }
    return JSON.Member("errorUri", .string(clean(uri)))
  }

  /// Returns the text with the mark in place of the secret, which must not be empty.
  package static func hide(_ secret: [UInt8], in text: [UInt8]) -> [UInt8] {
    guard text.count >= secret.count else { return text }
    var result: [UInt8] = []
    var index = 0
    while index < text.count {
      if text.count - index >= secret.count, text[index] == secret[0], text[index..<index + secret.count].elementsEqual(secret) {
        result.append(contentsOf: "…".utf8)
        index += secret.count
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return result
  }
}
