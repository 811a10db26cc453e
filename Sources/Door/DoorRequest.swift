import NIOHTTP1
import OAuthCore

/// The head of a program's request, checked: what two parsers may read differently is refused, and nothing of it is sent.
package struct DoorRequest: Sendable {
  /// Where the door listens.
  package enum Place: Sendable, Equatable {
    case tcp(port: Int)
    case unix
  }

  /// How the end of the body is found (RFC 9112, 6.3).
  package enum Length: Sendable, Equatable {
    case none
    case bytes(Int)
    case chunks

    var bytes: Int? { if case .bytes(let count) = self { count } else { nil } }
  }

  /// In bytes, of the request line and the headers. Some tokens have kilobytes.
  package static let headLimit = 64 << 10

  let place: Place
  package let method: String
  package let account: String
  /// The host behind `@`, with its port if it has one; nil for the provider's `apiBase`.
  package let host: String?
  /// What is appended to `apiBase` or to the host: nothing or a path, and the query.
  package internal(set) var path: String
  /// Without those of the connection. The credential is still among them.
  package internal(set) var headers: [HTTPHeader]
  package let length: Length
  package let expectsContinue: Bool
  package let isHTTP10: Bool
  /// The program's own name of the door, for the addresses in the answer.
  package let authority: String
  /// Whether the connection ends with the answer. The parser reads nothing behind a request with an `Upgrade`.
  package let closes: Bool

  package init(_ head: HTTPRequestHead, at place: Place) throws(DoorFailure) {
    (self.place, method) = (place, head.method.rawValue)
    isHTTP10 = head.version.minor == 0
    let all = head.headers.map { HTTPHeader($0.name, $0.value) }
    guard !["CONNECT", "TRACE"].contains(method) else { throw .badRequest("\(method) is not passed on") }
    try Self.check(all, head.uri)
    authority = try Self.authority(all, place)
    try Self.checkOrigin(all)
    length = try Self.length(all, isHTTP10)
    // The answer to it has none, and libcurl would wait for one.
    guard method != "HEAD" || [.none, .bytes(0)].contains(length) else { throw .badRequest("a HEAD request has no body") }
    let upgrades = all.filter { $0.isNamed("upgrade") }.flatMap { DoorHeaders.words($0.value) }
    guard upgrades.allSatisfy({ $0 == "h2c" }) else { throw .badRequest("the connection cannot be upgraded to another protocol") }
    closes = !head.isKeepAlive || !upgrades.isEmpty
    expectsContinue = !isHTTP10 && all.contains { $0.isNamed("expect") && $0.value.lowercased() == "100-continue" }
    (account, host, path) = try Self.target(head.uri)
    headers = DoorHeaders.forService(all)
  }

  private static func check(_ headers: [HTTPHeader], _ target: String) throws(DoorFailure) {
    // The parser replaces what is not UTF-8.
    let isClean = headers.allSatisfy { header in
      HTTPRequest.isToken(header.name)
        && !header.value.unicodeScalars.contains { $0 == "\r" || $0 == "\n" || $0 == "\0" || $0 == "\u{FFFD}" }
    }
    guard isClean else { throw .badRequest("a header has a line end, a NUL, or bytes that are not UTF-8") }
    let bytes = headers.reduce(target.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    guard bytes <= headLimit else { throw .badRequest("the head of the request is larger than \(headLimit) bytes") }
  }

  /// Checks `Host`. A web page whose name leads to this machine has its own name there (DNS rebinding).
  private static func authority(_ headers: [HTTPHeader], _ place: Place) throws(DoorFailure) -> String {
    let hosts = headers.filter { $0.isNamed("host") }
    guard hosts.count == 1, let host = hosts.first?.value.lowercased() else { throw .badRequest("the request must have one Host") }
    if case .tcp(let port) = place {
      guard ["127.0.0.1", "localhost", "[::1]"].contains(where: { host == "\($0):\(port)" || (port == 80 && host == $0) }) else {
        throw .badRequest("the Host must be 127.0.0.1:\(port) or localhost:\(port)")
      }
    }
    return host
  }

  private static func checkOrigin(_ headers: [HTTPHeader]) throws(DoorFailure) {
    let isOfPage = headers.contains { $0.isNamed("origin") || ($0.isNamed("sec-fetch-site") && $0.value.lowercased() != "none") }
    if isOfPage { throw .badRequest("the request comes from a web page (Origin, Sec-Fetch-Site), and the door serves programs only") }
  }

  private static func length(_ headers: [HTTPHeader], _ isHTTP10: Bool) throws(DoorFailure) -> Length {
    let (lengths, codings) = (headers.filter { $0.isNamed("content-length") }, headers.filter { $0.isNamed("transfer-encoding") })
    guard lengths.count + codings.count <= 1 else { throw .badRequest("the length of the body is given twice") }
    if let coding = codings.first {
      guard coding.value.lowercased() == "chunked", !isHTTP10 else {
        throw .badRequest("the only Transfer-Encoding is chunked, in HTTP/1.1")
      }
      return .chunks
    }
    guard let text = lengths.first?.value else { return .none }
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(text) else {
      throw .badRequest("the Content-Length is not a number")
    }
    return .bytes(count)
  }

  /// Whether the path has `.` or `..` as a part. Some servers decode the path before they split it.
  static func hasDotSegments(_ path: ArraySlice<UInt8>) -> Bool {
    PercentEncoding.decodeLeniently(path, plusIsBlank: false).split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.contains {
      $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8)
    }
  }

  /// Reads `/ACCOUNT/PATH` or `/ACCOUNT/@HOST/PATH`.
  private static func target(_ text: String) throws(DoorFailure) -> (account: String, host: String?, path: String) {
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "/") else { throw .badRequest("the request must be for a path: /ACCOUNT/PATH") }
    guard bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") }) else {
      throw .badRequest(#"the path must be ASCII without blanks, control characters, \ and #"#)
    }
    let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    guard !hasDotSegments(bytes[..<end]) else { throw .badRequest("the path must not have . and .. as its parts") }
    func next(_ rest: inout ArraySlice<UInt8>) -> String {
      let segment = rest.dropFirst().prefix { $0 != UInt8(ascii: "/") }
      rest = rest[segment.endIndex...]
      return String(decoding: segment, as: UTF8.self)
    }
    var rest = bytes[..<end]
    guard let account = PercentEncoding.decode(next(&rest)), !account.isEmpty, !account.unicodeScalars.contains(where: \.isHidden) else {
      throw .badRequest("the path must begin with the name of an account: /ACCOUNT/PATH")
    }
    var host: String?
    if rest.dropFirst().first == UInt8(ascii: "@") {
      host = String(next(&rest).dropFirst())
      guard host?.isEmpty == false else { throw .badRequest("the path has no host behind @") }
    }
    return (account, host, String(decoding: rest, as: UTF8.self) + String(decoding: bytes[end...], as: UTF8.self))
  }
}
