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
  fileprivate static let shortest = 4

  private let secrets: [Secret]

  package init(_ secrets: [Secret]) { self.secrets = secrets }

  /// Made when something is to be hidden. Most responses are not errors, and making them before took 18 µs of a refresh.
  private var spellings: Spellings { Spellings(secrets.map(\.value).filter { $0.utf8.count >= Self.shortest }) }

  /// Returns text fit for a message: one line, without secrets, at most 500 characters.
  ///
  /// Compares bytes, since a combining mark after a secret changes its characters but not its bytes. Cuts last, since half a secret would not be
  /// recognised.
  package func clean(_ text: String) -> String {
    let bytes = spellings.hidden(in: Array(text.plain.utf8))
    return String(String.UnicodeScalarView(String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix(Self.limit)))
  }

  /// Returns the whole text without secrets.
  package func hide(in text: String) -> String {
    spellings.hidden(in: text)
  }

  /// Returns the body without secrets. In JSON, they are looked for in the texts, however those are escaped, and JSON stays JSON.
  package func hide(in body: [UInt8]) -> [UInt8] {
    let spellings = spellings
    guard let first = body.first(where: { $0 > 0x20 }), "{[\"".utf8.contains(first), let json = try? JSON.parse(body) else {
      return spellings.hidden(in: body)
    }
    let shown = spellings.hidden(in: json)
    return shown == json ? body : shown.text
  }

  /// Returns a body for display, at most 4 KiB: secrets hidden, control characters removed except line ends and tabs.
  func cleanBody(_ body: [UInt8]) -> String {
    let text = String(decoding: body.prefix(Self.readLimit), as: UTF8.self).unicodeScalars
    let printable = String(String.UnicodeScalarView(text.lazy.filter { $0.value >= 0x20 && $0.value != 0x7F || $0 == "\n" || $0 == "\t" }))
    let spellings = spellings
    var bytes = spellings.hidden(in: Array(printable.utf8))
    // The last bytes may be the beginning of a secret that was read only in part, and that the hidden ones before it bring into view.
    // A character that was read in part is shown as three bytes.
    if body.count > Self.readLimit, let longest = spellings.longest { bytes.removeLast(min(bytes.count, longest + 2)) }
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
}

extension Redaction {
  /// The forms in which a server may quote secrets.
  private struct Spellings {
    /// What stands in the place of a secret.
    private static let mark = Array("…".utf8)

    /// Encoded secrets, as they are searched in the text itself.
    private let encoded: [BytePattern]
    /// Secrets, as they are searched in the text without its escapes.
    private let plain: [BytePattern]

    init(_ secrets: [String]) {
      let base64 = secrets.map { Base64.pieces(of: Array($0.utf8)) }
      plain = Self.patterns(zip(secrets, base64).flatMap { [$0] + $1 }.map { Array($0.utf8) })
      encoded = Self.patterns(
        zip(secrets, base64).flatMap { secret, pieces in
          let texts = [secret, FormEncoding.encode(secret), PercentEncoding.encode(secret)] + pieces + pieces.map(FormEncoding.encode)
          return texts.map { Array($0.utf8) } + Self.widened(secret)
        })
    }

    /// Longer patterns first: otherwise a shorter one inside would be replaced and leave pieces of the longer one.
    private static func patterns(_ all: [[UInt8]]) -> [BytePattern] {
      Set(all.filter { $0.count >= shortest }).sorted { $0.count > $1.count }.map(BytePattern.init)
    }

    /// Returns the secret in UTF-16, with either byte first, and in hexadecimal digits of either case.
    private static func widened(_ secret: String) -> [[UInt8]] {
      let bytes = Array(secret.utf8)
      let digits = Hexadecimal.encode(bytes)
      let units = Array(secret.utf16)
      return [
        Array(digits.utf8), Array(digits.uppercased().utf8), units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] },
        units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] },
      ]
    }

    /// Bytes of the longest form; nil without secrets. Writers escape neither letters nor digits, and an escape has at most six bytes.
    var longest: Int? {
      let escaped = plain.map { $0.bytes.reduce(0) { $0 + (isASCIILetterOrDigit($1) ? 1 : 6) } }
      return (escaped + encoded.map { $0.bytes.count }).max()
    }

    func hidden(in text: String) -> String { String(decoding: hidden(in: Array(text.utf8)), as: UTF8.self) }

    func hidden(in json: JSON) -> JSON {
      switch json {
      case .string(let text): .string(hidden(in: text))
      case .array(let values): .array(values.map(hidden))
      case .object(let members): .object(members.map { JSON.Member(hidden(in: $0.name), hidden(in: $0.value)) })
      default: json
      }
    }

    func hidden(in text: [UInt8]) -> [UInt8] {
      var shown = encoded.reduce(text) { $1.replaced(in: $0, by: Self.mark) }
      for kind in UnescapedText.kinds {
        var unescaped = UnescapedText(shown, kind)
        for pattern in plain {
          guard let changed = unescaped?.replacing(pattern, by: Self.mark) else { continue }
          shown = changed
          unescaped = UnescapedText(shown, kind)
        }
      }
      return shown
    }
  }
}
