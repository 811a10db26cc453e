import OAuthCore
import Platform

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
    let length = headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) }
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
      mayBegin = status < 200
      isWhole = !mayBegin
      let lengths = headers.filter { $0.isNamed("content-length") }.flatMap { $0.value.split { $0 == "," || $0 == " " } }
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
    if let string = String(validating: text, as: UTF8.self) { return string }
    var string = ""
    for byte in text { string.unicodeScalars.append(Unicode.Scalar(byte)) }
    return string
  }
}

/// The start of a successful response that may contain a service's error. It is held back from its file or stream until it is complete.
struct ResponsePeek {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// Media types with a sequence of objects. Callers want each object as soon as it arrives.
  private static let sequences = ["ndjson", "jsonl", "json-seq", "json-lines", "stream"]

  let limit: Int
  private(set) var bytes: [UInt8] = []

  /// Adds a piece. Returns false if the body is not a JSON object, or is too large; the caller then releases the held bytes.
  mutating func take(_ piece: UnsafeRawBufferPointer, _ head: ResponseHead) -> Bool {
    guard piece.count <= limit - bytes.count, head.length ?? 0 <= limit else { return false }
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

/// Decodes gzip and zlib (RFC 1952 and 1950) with the system's zlib. libcurl can do that, too, but does not notice a body that ends early.
final class Inflater {
  private struct Zlib: Sendable {
    typealias Begin = @Sendable @convention(c) (UnsafeMutableRawPointer, Int32, UnsafePointer<CChar>, Int32) -> Int32
    typealias Step = @Sendable @convention(c) (UnsafeMutableRawPointer, Int32) -> Int32
    typealias End = @Sendable @convention(c) (UnsafeMutableRawPointer) -> Int32

    let (begin, step, end): (Begin, Step, End)
  }

  #if canImport(Darwin)
    private static let file = "/usr/lib/libz.1.dylib"
  #else
    private static let file = "libz.so.1"
  #endif

  /// nil if this system has no zlib. libcurl needs it, so almost every system has it.
  private static let zlib: Zlib? = {
    guard let library = dlopen(file, RTLD_LAZY | RTLD_LOCAL), let begin = dlsym(library, "inflateInit2_"),
      let step = dlsym(library, "inflate"), let end = dlsym(library, "inflateEnd")
    else { return nil }
    return Zlib(
      begin: unsafeBitCast(begin, to: Zlib.Begin.self), step: unsafeBitCast(step, to: Zlib.Step.self),
      end: unsafeBitCast(end, to: Zlib.End.self))
  }()

  /// The size of zlib's `z_stream`, and where its members `next_in`, `avail_in`, `next_out` and `avail_out` are. All are part of its stable ABI.
  private static let (size, nextIn, availableIn, nextOut, availableOut) = (112, 0, 8, 24, 32)
  /// 32 tells zlib to accept both formats; 15 is the largest window.
  private static let windowBits: Int32 = 32 + 15
  /// 64 KiB of decoded bytes at a time.
  private static let pieceSize = 64 << 10

  private let zlib: Zlib
  private let stream = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
  private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
  /// Whether the end of the compressed data was reached.
  private(set) var isComplete = false
  /// Whether more may be decoded without further input.
  private(set) var hasMore = false

  init?() {
    guard let zlib = Self.zlib else { return nil }
    self.zlib = zlib
    guard begin() else { return nil }
  }

  deinit {
    _ = zlib.end(stream)
    stream.deallocate()
    room.deallocate()
  }

  private func begin() -> Bool {
    stream.initializeMemory(as: UInt8.self, repeating: 0, count: Self.size)
    return zlib.begin(stream, Self.windowBits, "1", Int32(Self.size)) == 0
  }

  /// Decodes some of the input. Returns how many bytes it used and the decoded piece, which is valid until the next call. nil if the data are invalid.
  func decode(_ input: UnsafeRawBufferPointer) -> (used: Int, piece: UnsafeRawBufferPointer)? {
    // A gzip file is a sequence of such data (RFC 1952, 2.2).
    if isComplete, zlib.end(stream) != 0 || !begin() { return nil }
    stream.storeBytes(of: input.baseAddress, toByteOffset: Self.nextIn, as: UnsafeRawPointer?.self)
    stream.storeBytes(of: UInt32(input.count), toByteOffset: Self.availableIn, as: UInt32.self)
    stream.storeBytes(of: room.baseAddress, toByteOffset: Self.nextOut, as: UnsafeMutableRawPointer?.self)
    stream.storeBytes(of: UInt32(room.count), toByteOffset: Self.availableOut, as: UInt32.self)
    let code = zlib.step(stream, 0)
    // Z_OK, Z_STREAM_END, and Z_BUF_ERROR: there was nothing to do.
    guard [0, 1, -5].contains(code) else { return nil }
    isComplete = code == 1
    let made = room.count - Int(stream.load(fromByteOffset: Self.availableOut, as: UInt32.self))
    hasMore = !isComplete && made == room.count
    let used = input.count - Int(stream.load(fromByteOffset: Self.availableIn, as: UInt32.self))
    return (used, UnsafeRawBufferPointer(rebasing: room[..<made]))
  }
}
