import Jansson

/// What is hidden in text that a server sent: the secrets that it was sent, in every spelling in which it may quote them.
struct Redaction: Sendable {
  static let none = Redaction([])

  /// 500 characters are more than any provider's description needs.
  private static let limit = 500

  /// Bytes of a body that are shown, and the bytes that are searched for secrets before it is cut.
  private static let bodyLimit = 4_096
  private static let readLimit = 65_536

  /// A message is one line that somebody reads, on a page or in an editor.
  private static let sentenceLimit = 200

  /// What is shorter is no secret, and would blot out half the words of a sentence.
  private static let shortest = 4

  private let spellings: [[UInt8]]

  /// `client` adds its secret, and its Basic credentials as they are sent; `provider` what its description has to send beside them.
  init(_ secrets: [Secret], client: Client? = nil, provider: Provider? = nil) {
    var values = (secrets + (provider?.writtenSecrets ?? [])).map(\.value)
    if let client, let secret = client.secret {
      values.append(secret.value)
      values.append(String(client.basicHeader.value.dropFirst("Basic ".count)))
    }
    let all = values.flatMap(Self.spellings).filter { $0.utf8.count >= Self.shortest }
    // The longer ones first, so that no piece of one is left when a shorter one stands inside it.
    spellings = Set(all.map { Array($0.utf8) }).sorted { $0.count > $1.count }
  }

  private static func spellings(of secret: String) -> [String] {
    let encoded = Base64.pieces(of: Array(secret.utf8))
    return [secret, FormEncoding.encode(secret), PercentEncoding.encode(secret)] + encoded + encoded.map(FormEncoding.encode)
  }

  /// Text fit for a message: no control characters, no secret, no novel. Bytes are compared, since a combining mark behind a secret makes other
  /// characters of it but not other bytes; and what is too long is cut last, since half a secret would not be recognised.
  func clean(_ text: String) -> String {
    var bytes = Array(text.plain.utf8)
    for spelling in spellings { bytes = Self.hide(spelling, in: bytes) }
    return String(String.UnicodeScalarView(String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix(Self.limit)))
  }

  /// A body that is shown as it came: its secrets hidden and its control characters but for line ends and tabs gone, 4 KB at most.
  func cleanBody(_ body: [UInt8]) -> String {
    let text = String(decoding: body.prefix(Self.readLimit), as: UTF8.self).unicodeScalars
    let printable = String(String.UnicodeScalarView(text.lazy.filter { $0.value >= 0x20 && $0.value != 0x7F || $0 == "\n" || $0 == "\t" }))
    var bytes = Array(printable.utf8)
    for spelling in spellings { bytes = Self.hide(spelling, in: bytes) }
    if bytes.count > Self.bodyLimit { bytes.removeLast(bytes.count - Self.bodyLimit) }
    // A character that was cut in two goes, and so does half a secret at the end of what was read.
    while let last = bytes.last, last >= 0x80, String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What a server says of its error, to follow that in a message; empty where it says nothing.
  func sentence(_ description: String?) -> String {
    guard let description else { return "" }
    let text = clean(description)
    let shown = text.unicodeScalars.prefix(Self.sentenceLimit)
    return shown.isEmpty ? "" : ": \(String(shown))" + (shown.count < text.unicodeScalars.count ? "…" : "")
  }

  /// The page that a server names for its error (RFC 6749, 5.2). Clients make a link of it, so that only https is passed on.
  func errorPage(_ uri: String?) -> JSON.Member? {
    guard let uri, uri.lowercased().hasPrefix("https://") else { return nil }
    return JSON.Member("errorUri", .string(clean(uri)))
  }

  private static func hide(_ secret: [UInt8], in text: [UInt8]) -> [UInt8] {
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

/// Text of a server that was sent no secret, made fit for a message.
enum ErrorText {
  static func clean(_ text: String) -> String { Redaction.none.clean(text) }
}
