import Jansson
import OAuthCore

/// The head of a request for the redirect URI, parsed strictly (RFC 9112 sections 2 to 5).
package struct LoopbackRequest {
  /// The address that every request must be for, taken from the redirect URI.
  struct Target: Sendable {
    /// The names that a request may have for this machine.
    let hosts: [String]
    let port: UInt16
    /// nil at a registered port: the sign-in of a redirect has a path of its own.
    let path: String?
    /// Path that redirects to the authorization page; empty if the browser opens that page itself.
    let startPath: String
    /// Whether a request may name any host.
    let takesAnyHost: Bool

    init(_ address: LoopbackAddress, port: UInt16, startPath: String = "", isShared: Bool = false) {
      takesAnyHost = address.interface != nil
      hosts = [address.name] + (isShared && !takesAnyHost ? [LoopbackAddress.Host.localhost.rawValue] : [])
      path = isShared ? nil : address.path
      (self.port, self.startPath) = (port, startPath)
    }

    var origin: String { origins[0] }
    var origins: [String] { hosts.map { "http://\($0):\(port)" } }

    /// Returns the origin with the host that a request names; nil for another.
    func origin(_ authority: String) -> String? {
      if takesAnyHost { return origin }
      let text = authority.lowercased()
      return hosts.first { text == "\($0):\(port)" || (port == 80 && text == $0) }.map { "http://\($0):\(port)" }
    }
  }

  /// Bytes of the form that follows the head; nil for GET.
  let bodyBytes: Int?
  /// Without its parameters.
  private let head: Redirect

  /// Parses the bytes before the empty line. Throws the status to respond with if the request is invalid or for another address.
  init(head: [UInt8], for place: Target, limits: LoopbackListener.Limits) throws(LoopbackRequest.Rejection) {
    let lines = try Self.lines(head)
    let parts = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].utf8.allSatisfy(isTokenByte), parts[1].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
    else { throw .badRequest("the request line is malformed") }
    guard parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0" else { throw .init(status: 505, reason: "only HTTP/1") }
    let fields = try Fields(lines.dropFirst())
    guard let host = try fields.only("host") else { throw .badRequest("Host is missing") }
    let (target, authority) = try Self.originForm(String(parts[1]))
    let names = [host] + (authority.map { [$0] } ?? [])
    guard names.allSatisfy({ URLParts(scheme: "http", host: $0) != nil }) else { throw .badRequest("Host is malformed") }
    let named = names.compactMap(place.origin)
    let (isForeign, path) = (named.count < names.count, target.prefix { $0 != "?" })
    let isStart = !place.startPath.isEmpty && path == place.startPath
    let isAtPath = place.path.map { path == ($0.isEmpty ? "/" : $0) } ?? true
    if isForeign, isStart || !isAtPath { throw .misdirected }
    guard isStart || isAtPath, !target.utf8.contains(UInt8(ascii: "#")) else { throw .notFound }
    // HEAD is rejected too: a link checker that sends it must not use up the code.
    guard parts[0] == "GET" || (parts[0] == "POST" && !isStart) else { throw .init(status: 405, reason: "only GET and POST") }
    // A prefetched page would use up the code unseen. The browser repeats the request when the user opens the page.
    let isPrefetch = fields.all("sec-purpose").contains { $0.hasPrefix("prefetch") }
    guard !isPrefetch else { throw LoopbackRequest.Rejection(status: 503, reason: "not ahead of time") }
    guard fields.all("transfer-encoding").isEmpty else { throw LoopbackRequest.Rejection(status: 501, reason: "no transfer codings") }
    guard fields.all("expect").isEmpty else { throw LoopbackRequest.Rejection(status: 417, reason: "no expectations") }
    self.head = Redirect(
      acceptLanguage: fields.all("accept-language").isEmpty ? nil : fields.all("accept-language").joined(separator: ","),
      origins: isForeign ? place.origins : [named[0]], target: target, isForeign: isForeign, isForwarded: isForeign || place.takesAnyHost,
      isStart: isStart)
    bodyBytes = parts[0] == "POST" ? try Self.formBytes(fields, limits) : nil
  }

  /// Decodes the redirect; `body` is empty for GET. Query parameters that the form lacks are added to the form's.
  /// OpenID 2.0 sends its response to `return_to` with that URL's query (5.2.2).
  func redirect(body: ArraySlice<UInt8>) throws(LoopbackRequest.Rejection) -> LoopbackRequest.Redirect {
    var redirect = head
    if !head.isStart { redirect.parameters = try Redirect.parameters(head.target.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()) }
    if bodyBytes != nil {
      let form = try Redirect.parameters(body)
      redirect.parameters = form + redirect.parameters.filter { parameter in !form.contains { $0.name == parameter.name } }
    }
    return redirect
  }

  /// Field values may contain bytes of any charset. Reading them as Latin-1 loses and rejects none (RFC 9110 section 5.5).
  private static func lines(_ head: [UInt8]) throws(LoopbackRequest.Rejection) -> [String] {
    let text = String(String.UnicodeScalarView(head.map { Unicode.Scalar($0) }))
    // In Swift, CR LF is one character.
    let lines = text.split(separator: "\r\n" as Character, omittingEmptySubsequences: false).map(String.init)
    let isClean = lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0 == "\t" || $0 >= " " && $0 != "\u{7F}" } }
    guard isClean else { throw .badRequest("there is a control character, or a line end is malformed") }
    return lines
  }

  private static func originForm(_ target: String) throws(LoopbackRequest.Rejection) -> (target: String, authority: String?) {
    if target.hasPrefix("/") { return (target, nil) }
    // The absolute form, as a client sends it to a proxy (RFC 9112 section 3.2.2).
    guard target.lowercased().hasPrefix("http://") else { throw .badRequest("the request target is malformed") }
    let rest = target.dropFirst("http://".count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let path = rest.dropFirst(authority.count)
    return (path.hasPrefix("/") ? String(path) : "/" + path, String(authority))
  }

  private static func formBytes(_ fields: Fields, _ limits: LoopbackListener.Limits) throws(LoopbackRequest.Rejection) -> Int {
    let type = try fields.only("content-type")?.prefix { $0 != ";" && $0 != " " && $0 != "\t" }.lowercased()
    guard type == "application/x-www-form-urlencoded" else { throw .init(status: 415, reason: "only URL-encoded forms") }
    guard let text = try fields.only("content-length") else { throw .init(status: 411, reason: "Content-Length is missing") }
    guard !text.isEmpty, text.utf8.allSatisfy(isASCIIDigit) else { throw .badRequest("Content-Length is malformed") }
    guard let count = Int(text), count <= limits.bodyBytes else { throw .init(status: 413, reason: "the form is too large") }
    return count
  }
}

extension LoopbackRequest {
  /// Assembles a request from the pieces that arrive.
  struct Reader {
    private var received: [UInt8] = []
    /// How far `received` has been searched for the end of the head. Each byte is searched once, however small the pieces.
    private var scanned = 0
    private var head: (request: LoopbackRequest, end: Int)?

    var isEmpty: Bool { received.isEmpty }

    /// Adds a piece. Returns the redirect once it is complete.
    mutating func take(
      _ bytes: [UInt8], _ target: Target, _ limits: LoopbackListener.Limits
    ) throws(LoopbackRequest.Rejection) -> LoopbackRequest.Redirect? {
      received += bytes
      if head == nil {
        guard let end = try headEnd(limits) else { return nil }
        head = (try LoopbackRequest(head: Array(received[..<end]), for: target, limits: limits), end + 4)
      }
      guard let (request, start) = head, received.count - start >= request.bodyBytes ?? 0 else { return nil }
      return try request.redirect(body: received[start..<(start + (request.bodyBytes ?? 0))])
    }

    /// Returns where the empty line begins. Rejects bytes that no head contains (such as a TLS handshake) at once.
    private mutating func headEnd(_ limits: LoopbackListener.Limits) throws(LoopbackRequest.Rejection) -> Int? {
      while scanned < min(received.count, limits.headBytes) {
        let byte = received[scanned]
        guard byte >= 0x20 || byte == 9 || byte == 10 || byte == 13 else { throw .badRequest("this is not HTTP") }
        if byte == 10, received[...scanned].suffix(4).elementsEqual([13, 10, 13, 10]) { return scanned - 3 }
        scanned += 1
      }
      guard scanned < limits.headBytes else { throw LoopbackRequest.Rejection(status: 431, reason: "the request head is too large") }
      return nil
    }
  }

  /// The fields of a request head, names in lower case.
  struct Fields {
    private var fields: [(name: String, value: String)] = []

    /// Rejects folded lines and white space around a name: both allow request smuggling (RFC 9112 section 5.1).
    init(_ lines: some Sequence<String>) throws(LoopbackRequest.Rejection) {
      for line in lines {
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex, line[..<colon].utf8.allSatisfy(isTokenByte)
        else { throw .badRequest("a header field is malformed") }
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var value = line[line.index(after: colon)...].drop(while: isBlank)
        while let last = value.last, isBlank(last) { value.removeLast() }
        fields.append((line[..<colon].lowercased(), String(value)))
      }
    }

    func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    func only(_ name: String) throws(LoopbackRequest.Rejection) -> String? {
      let values = all(name)
      guard values.count <= 1 else { throw .badRequest("\(name) occurs twice") }
      return values.first
    }
  }

  /// A request that is rejected before it reaches the sign-in: the status and a short text.
  package struct Rejection: Error {
    let status: Int
    let reason: String

    static func badRequest(_ reason: String) -> Rejection { Rejection(status: 400, reason: reason) }
    static let notFound = Rejection(status: 404, reason: "there is nothing here")
    static let misdirected = Rejection(status: 421, reason: "this address is not served here")

    /// The page. The sign-in may be open still, and the address may be what it waits for.
    var text: String {
      "oauth-stdio: \(reason).\nIf the program that you came from is still waiting, copy the address of this page and paste it there.\n"
    }
  }
}
