/// The status line and header fields of an answer, put together from the lines as they come.
struct ResponseHead {
  /// Far more than any provider sends; without a limit a server could fill the memory with header lines that `maxBytes` never counts.
  static let limit = 256 << 10

  private(set) var status = 0
  private(set) var headers: [HTTPHeader] = []
  /// Bytes of header lines, informational answers included.
  private(set) var bytes = 0
  /// Whether the blank line has come that ends the real answer's head.
  private(set) var isWhole = false
  /// Whether the next line may begin a new head: informational answers come before the real one (RFC 9110, 15.2), only trailers after it.
  private var mayBegin = true

  var isSuccess: Bool { (200...299).contains(status) }
  /// Whether it leads elsewhere (RFC 9110, 15.4) and says where to.
  var isRedirect: Bool { HTTPResponse.redirects.contains(status) && headers.contains { $0.isNamed("location") } }
  /// The length of the body as it is stored on the server; nil where it isn't told or where decoding changes it.
  var length: Int? {
    guard !headers.contains(where: { $0.name.lowercased() == "content-encoding" }) else { return nil }
    return headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) }.flatMap { $0 < 0 ? nil : $0 }
  }

  /// Takes one line with its line end; false where the head has grown beyond `limit`.
  mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
    bytes += line.count
    guard bytes <= Self.limit else { return false }
    let text = Self.trimmed(line[...])
    if text.isEmpty {
      mayBegin = status < 200
      isWhole = !mayBegin
    } else if mayBegin, text.starts(with: "HTTP/".utf8) {
      let code = text.drop { $0 != 0x20 }.dropFirst().prefix(3)
      status = code.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
      headers = []
    } else if let first = line.first, first == 0x20 || first == 0x09, var last = headers.popLast() {
      // A folded line (RFC 9112, 5.2) goes on with the value before it.
      last.value += " " + Self.string(text)
      headers.append(last)
    } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
      headers.append(HTTPHeader(Self.string(text[..<colon]), Self.string(Self.trimmed(text[(colon + 1)...]))))
    }
    return true
  }

  private static func trimmed(_ text: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
    guard let end = text.lastIndex(where: { !isBlank($0) }) else { return text.prefix(0) }
    return text[...end].drop(while: isBlank)
  }

  /// UTF-8 where it is that, else ISO-8859-1, which header values were once written in (RFC 9110, 5.5), so that no byte is lost.
  private static func string(_ text: Slice<UnsafeRawBufferPointer>) -> String {
    if let string = String(validating: text, as: UTF8.self) { return string }
    var string = ""
    for byte in text { string.unicodeScalars.append(Unicode.Scalar(byte)) }
    return string
  }
}
