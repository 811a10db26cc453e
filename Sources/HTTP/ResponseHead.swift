import OAuthCore

/// The status line and header fields of a response, parsed line by line.
struct ResponseHead {
  /// Far more than any provider sends. Without a limit, header lines could fill the memory, because `maxBytes` doesn't count them.
  static let limit = 256 << 10

  private(set) var status = 0
  private(set) var headers: [HTTPHeader] = []
  /// Bytes of header lines, including informational responses.
  private(set) var bytes = 0
  /// Whether the blank line at the end of the final response's head was received.
  private(set) var isWhole = false
  /// Whether the next line may start a new head. Informational responses precede the final one (RFC 9110, 15.2), and only trailers follow it.
  private var mayBegin = true

  var isSuccess: Bool { (200...299).contains(status) }
  /// Whether it is a redirect (RFC 9110, 15.4) with a Location.
  var isRedirect: Bool { HTTPResponse.redirects.contains(status) && headers.contains { $0.isNamed("location") } }
  /// The registered codings (RFC 9110, 8.4.1) that a browser's server may use.
  private static let codings: Set<Substring> = ["br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "x-compress", "x-gzip", "zstd"]
  /// How the body is compressed (RFC 9110, 8.4), in lower case; nil if it isn't. Some servers name the charset, or `none`.
  var encoding: String? {
    let values = headers.filter { $0.isNamed("content-encoding") }.flatMap { $0.value.lowercased().split { $0 == "," || $0 == " " } }
    let encodings = values.filter(Self.codings.contains)
    return encodings.isEmpty ? nil : encodings.joined(separator: ",")
  }
  /// In bytes: a pebibyte. With a larger length, sums could overflow.
  private static let largestLength = 1 << 50
  /// The length of the received body; nil if it is unknown or impossible, or if decoding changes it.
  var length: Int? {
    guard encoding == nil else { return nil }
    let length = headers.first { $0.isNamed("content-length") }.flatMap { Int($0.value) }
    return length.flatMap { (0...Self.largestLength).contains($0) ? $0 : nil }
  }

  /// Adds one line with its line end. Returns false if the head exceeds `limit` or has two lengths (RFC 9112, 6.3). Also rejects a line with a NUL,
  /// without a colon, or that continues nothing (RFC 9112, 5). Older versions of libcurl, such as 7.81, let such lines through. Among trailers they
  /// are ignored.
  mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
    bytes += line.count
    guard bytes <= Self.limit else { return false }
    let text = Self.trimmed(line[...])
    if line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
      // No request asks for another protocol.
      guard status != 101 else { return false }
      mayBegin = status < 200
      isWhole = !mayBegin
      let lengths = headers.lazy.filter { $0.isNamed("content-length") }.flatMap { $0.value.split { $0 == "," || $0 == " " } }
      return Set(lengths).count <= 1
    } else if text.contains(0), !isWhole {
      return false
    } else if mayBegin, line.starts(with: "HTTP/".utf8) {
      // A later line of this form, such as a folded one, must not replace the status.
      mayBegin = false
      // Some servers write several blanks.
      let code = text.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix { 0x30...0x39 ~= $0 }
      guard code.count == 3 else { return false }
      status = code.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
      headers = []
      headers.reserveCapacity(16)
    } else if isWhole {
      // A trailer, which is not merged into the head (RFC 9110, 6.5.1).
      return true
    } else if let first = line.first, first == 0x20 || first == 0x09 {
      // A folded line continues the previous value (RFC 9112, 5.2).
      guard var last = headers.popLast() else { return false }
      last.value += " " + Self.string(text)
      headers.append(last)
    } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
      headers.append(HTTPHeader(Self.string(text[..<colon]), Self.string(Self.trimmed(text[(colon + 1)...]))))
    } else {
      return false
    }
    return true
  }

  private static func trimmed(_ text: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
    guard let end = text.lastIndex(where: { !isBlank($0) }) else { return text.prefix(0) }
    return text[...end].drop(while: isBlank)
  }

  /// Decodes UTF-8, or else ISO-8859-1, the former charset of header values (RFC 9110, 5.5). No byte is lost.
  private static func string(_ text: Slice<UnsafeRawBufferPointer>) -> String {
    let bytes = UnsafeRawBufferPointer(rebasing: text)
    var string = String(decoding: bytes, as: UTF8.self)
    // Otherwise a byte was replaced. Validating first takes ten times as long.
    if string.withUTF8({ $0.elementsEqual(bytes) }) { return string }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}

/// The start of a successful response that may contain a service's error. It is held back from its file or stream until it is complete.
struct ResponsePeek {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// Media types with a sequence of objects. Callers want each object as soon as it arrives.
  private static let sequences = ["ndjson", "jsonl", "json-seq", "json-lines", "stream"]

  /// In bytes, of an error that is passed on unless the request is sent again. Far more than any service's error needs, and little memory.
  static let errorLimit = 64 << 10

  let limit: Int
  var takesObjectsOnly = true
  private(set) var bytes: [UInt8] = []

  /// Adds a piece. Returns false if the body is not a JSON object, or is too large; the caller then releases the held bytes.
  mutating func take(_ piece: UnsafeRawBufferPointer, _ head: ResponseHead) -> Bool {
    guard piece.count <= limit - bytes.count, head.length ?? 0 <= limit else { return false }
    guard takesObjectsOnly else {
      bytes.append(contentsOf: piece)
      return true
    }
    if bytes.isEmpty {
      let type = head.headers.last { $0.isNamed("content-type") }?.value.lowercased() ?? ""
      guard !Self.sequences.contains(where: { type.contains($0) }) else { return false }
    }
    bytes.append(contentsOf: piece)
    if mayBeObject { return true }
    bytes.removeLast(piece.count)
    return false
  }

  private var mayBeObject: Bool {
    let text = bytes.starts(with: Self.byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    guard let first = text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { return true }
    return first == UInt8(ascii: "{")
  }
}
