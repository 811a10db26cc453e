import CPlatform
import Jansson
import Platform

/// Hides the secrets of an exchange in an error's texts and bodies, because a server may quote what it got.
package struct Redaction: Sendable {
  package static let none = Redaction([])

  /// Characters. Longer than any provider's error description needs to be.
  private static let limit = 500

  /// The bytes of a body that are shown.
  private static let bodyLimit = 4_096

  /// Characters. A message is one line on a page or in an editor.
  private static let sentenceLimit = 200

  /// Bytes. A shorter value is not a secret, and hiding it would remove parts of ordinary words.
  private static let shortest = 4

  /// What stands in the place of a secret.
  private static let mark = Array("…".utf8)

  private let secrets: @Sendable () -> [Secret]

  package init(_ secrets: [Secret]) { self.init { secrets } }

  /// `secrets` is called when a text is cleaned.
  init(_ secrets: @escaping @Sendable () -> [Secret]) { self.secrets = secrets }

  /// The forms in which a server may quote the secrets: as they stand, form-encoded or as in a URL's path, with JSON's `\/`, and as the Basic
  /// credential. Longer ones come first: a shorter one inside would be replaced and leave pieces of the longer one.
  ///
  /// They are made when a text is cleaned. Most responses are not errors, and a token may have kilobytes.
  private var forms: [[UInt8]] {
    let forms = secrets().map(\.value).filter { $0.utf8.count >= Self.shortest }.flatMap { secret in
      let encoded = [FormEncoding.encode(secret), PercentEncoding.encode(secret)]
      return ([secret, secret.replacing("/", with: #"\/"#)] + encoded + encoded.map(Self.withSmallDigits)).map { Array($0.utf8) }
    }
    return Set(forms).sorted { $0.count > $1.count }
  }

  /// Returns the text with small letters in its percent escapes, as some servers write them.
  private static func withSmallDigits(_ text: String) -> String {
    let parts = text.split(separator: "%", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { $0 + "%" + $1.prefix(2).lowercased() + $1.dropFirst(2) }
  }

  /// Also hides these, for what the same exchange received.
  func adding(_ more: @escaping @Sendable () -> [Secret]) -> Redaction { Redaction { [secrets] in secrets() + more() } }

  /// Returns text fit for a message: one line, without secrets, at most 500 characters.
  ///
  /// Compares bytes, since a combining mark after a secret changes its characters but not its bytes. Cuts last, since half a secret would not be
  /// recognised.
  package func clean(_ text: String) -> String { String(String.UnicodeScalarView(hide(in: text.plain).unicodeScalars.prefix(Self.limit))) }

  /// Returns the whole text without secrets.
  package func hide(in text: String) -> String { String(decoding: hide(in: Array(text.utf8)), as: UTF8.self) }

  /// Returns the whole body without secrets.
  package func hide(in body: [UInt8]) -> [UInt8] { forms.reduce(body) { Self.replacing($1, in: $0, by: Self.mark) } }

  /// Returns a body for display, at most 4 KiB: secrets hidden, control characters removed except line ends and tabs.
  package func cleanBody(_ body: [UInt8]) -> String {
    let forms = forms
    // A secret at the cut is read in part and not recognised, so as many bytes are left out after the search.
    let longest = forms.first?.count ?? 0
    let text = String(decoding: body.prefix(Self.bodyLimit + longest), as: UTF8.self).plainLines
    var bytes = forms.reduce(Array(text.utf8)) { Self.replacing($1, in: $0, by: Self.mark) }
    if body.count > Self.bodyLimit + longest { bytes.removeLast(min(bytes.count, longest)) }
    return String(decoding: bytes, as: UTF8.self).prefix(ofBytes: Self.bodyLimit)
  }

  /// Returns the server's error description as the end of a message, without its full stop; empty if there is none.
  package func sentence(_ description: String?) -> String {
    guard let description else { return "" }
    var text = clean(description)
    if text.hasSuffix("."), !text.hasSuffix("..") { text.removeLast() }
    let shown = text.unicodeScalars.prefix(Self.sentenceLimit)
    return shown.isEmpty ? "" : ": \(String(shown))" + (shown.count < text.unicodeScalars.count ? "…" : "")
  }

  /// Returns the error page that a server names (RFC 6749, 5.2). Only https is passed on, since clients show it as a link.
  func errorPage(_ uri: String?) -> JSON.Member? {
    guard let uri, uri.lowercased().hasPrefix("https://") else { return nil }
    return JSON.Member("errorUri", .string(clean(uri)))
  }

  /// Returns the bytes with `mark` in each place of the pattern, which must not be empty. glibc's `memmem` takes linear time whatever a server repeats.
  private static func replacing(_ pattern: [UInt8], in bytes: [UInt8], by mark: [UInt8]) -> [UInt8] {
    var (shown, start): ([UInt8], Int) = ([], 0)
    bytes.withUnsafeBytes { text in
      while start < text.count, let found = memmem(text.baseAddress! + start, text.count - start, pattern, pattern.count) {
        let place = UnsafeRawPointer(found) - text.baseAddress!
        shown += text[start..<place] + mark
        start = place + pattern.count
      }
    }
    return shown + bytes[start...]
  }
}

extension [UInt8] {
  /// Whether the part is in these bytes. glibc's `memmem` takes linear time. A search by characters would miss a secret before a combining mark.
  package func contains(bytes part: [UInt8]) -> Bool {
    withUnsafeBytes { text in text.baseAddress.map { memmem($0, text.count, part, part.count) != nil } ?? false }
  }
}
