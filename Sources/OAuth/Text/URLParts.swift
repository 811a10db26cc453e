#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An absolute URL in its parts (RFC 3986 §3): http, https, or an app's own scheme.
///
/// Strict where readers disagree, since a URL that one takes for this host and another for that leaks a token: no control character,
/// blank or backslash anywhere, no escape or non-ASCII in the host. Beyond ASCII, path, query and fragment are percent-encoded.
package struct URLParts: Hashable, Sendable, CustomStringConvertible {
  /// In lower case.
  package let scheme: String
  /// Whether `//` follows the scheme; always so with http and https.
  package let hasAuthority: Bool
  /// As written, without the `@`. It is no part of what a caller may send: whoever takes a URL from outside looks at it and refuses.
  package let userInfo: String?
  /// In lower case; an IPv6 address stands in its brackets. Empty only with an app's own scheme.
  package let host: String
  /// As written, or nil; leading zeros aside.
  package let explicitPort: Int?
  /// As written; may be empty.
  package internal(set) var path: String
  /// Without the `?`; nil and empty are two things.
  package internal(set) var query: String?
  /// Without the `#`.
  package internal(set) var fragment: String?

  package init(_ text: String) throws(URLFailure) {
    let reference = try URLReference(text)
    guard let scheme = reference.scheme else { throw .scheme }
    try self.init(scheme: scheme, reference: reference, path: reference.path, query: reference.query)
  }

  /// The scheme with the reference's authority and fragment, and the path and query given.
  init(scheme: String, reference: URLReference, path: String, query: String?) throws(URLFailure) {
    self.scheme = scheme
    self.path = path
    self.query = query
    fragment = reference.fragment
    hasAuthority = reference.authority != nil
    let isWeb = scheme == "http" || scheme == "https"
    guard let authority = reference.authority else {
      if isWeb { throw .noAuthority }
      if path.utf8.starts(with: "//".utf8) { throw .ambiguousPath }
      (userInfo, host, explicitPort) = (nil, "", nil)
      return
    }
    let (userInfo, host, port) = try Self.split(authority: authority[...])
    if isWeb, host.isEmpty { throw .host }
    (self.userInfo, self.host, explicitPort) = (userInfo, host, port)
  }

  /// The explicit port, else the scheme's own: 80 and 443; nil with an app's own scheme.
  package var port: Int? { explicitPort ?? defaultPort }

  private var defaultPort: Int? {
    switch scheme {
    case "http": 80
    case "https": 443
    default: nil
    }
  }

  /// Scheme, host and port, the port left out where it is the scheme's own (RFC 6454 §6.2): what two URLs are compared by.
  package var origin: String { scheme + "://" + hostAndPort }

  /// The host, with its port where that is not the scheme's own: ports are all that tells the services of one machine apart.
  package var hostAndPort: String {
    let port = explicitPort == defaultPort ? nil : explicitPort
    return host + (port.map { ":\($0)" } ?? "")
  }

  /// Origin and path alone, fit for a message: some services want a key in their URL's query.
  package var shown: String { origin + path }

  /// Whether the host is this machine beyond doubt: `localhost`, `[::1]` in any spelling, or four plain decimals from 127 on.
  ///
  /// `2130706433`, `0x7f.1`, `127.1` and `0177.0.0.1` are left out: what they mean depends on who resolves them (RFC 3986 §7.4).
  package var isLoopback: Bool {
    if host == "localhost" { return true }
    if host.utf8.first == UInt8(ascii: "[") {
      return Self.ipv6Bytes(host.dropFirst().dropLast()) == [UInt8](repeating: 0, count: 15) + [1]
    }
    let octets = host.split(separator: ".", omittingEmptySubsequences: false)
    return octets.count == 4 && octets[0] == "127" && octets.allSatisfy { octet in UInt8(octet).map(String.init) == String(octet) }
  }

  /// The URL; for one without capitals in scheme and host, and within ASCII, the text that it was read from.
  package var description: String {
    var text = scheme + ":"
    if hasAuthority {
      text += "//"
      if let userInfo { text += userInfo + "@" }
      text += host
      if let explicitPort { text += ":\(explicitPort)" }
    }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }

  /// The URL with these pairs after what its query holds (RFC 6749 §3.1 wants the endpoint's own query kept).
  ///
  /// A blank becomes `%20`, which form decoders and plain percent decoders read alike; `+` only the former.
  package func appendingQuery(_ pairs: [(String, String)]) -> URLParts {
    guard !pairs.isEmpty else { return self }
    let added = Self.joined(pairs)
    var url = self
    switch query {
    case nil, "": url.query = added
    case let present?: url.query = present.utf8.last == UInt8(ascii: "&") ? present + added : present + "&" + added
    }
    return url
  }

  /// The URL with these pairs behind the path that its fragment is, for a page whose own script finds its way by it.
  package func appendingFragmentQuery(_ pairs: [(String, String)]) -> URLParts {
    guard !pairs.isEmpty, let fragment else { return self }
    var url = self
    url.fragment = fragment + "?" + Self.joined(pairs)
    return url
  }

  private static func joined(_ pairs: [(String, String)]) -> String {
    pairs.map { PercentEncoding.encode($0.0) + "=" + PercentEncoding.encode($0.1) }.joined(separator: "&")
  }
}

// MARK: Authority (RFC 3986 §3.2)
extension URLParts {
  private static func split(authority: Substring) throws(URLFailure) -> (userInfo: String?, host: String, port: Int?) {
    var rest = authority
    var userInfo: String?
    // The last `@` ends the user information; one before it would have to be escaped, and readers disagree about it.
    if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
      guard rest[..<at].utf8.allSatisfy(isUserInfo) else { throw .userInfo }
      userInfo = String(rest[..<at])
      rest = rest[rest.utf8.index(after: at)...]
    }

    var host = rest
    var digits: Substring?
    if rest.utf8.first == UInt8(ascii: "[") {
      guard let close = rest.utf8.firstIndex(of: UInt8(ascii: "]")) else { throw .host }
      host = rest[...close]
      let tail = rest[rest.utf8.index(after: close)...]
      if let colon = tail.utf8.first {
        guard colon == UInt8(ascii: ":") else { throw .host }
        digits = tail.dropFirst()
      }
      guard ipv6Bytes(host.dropFirst().dropLast()) != nil else { throw .host }
    } else {
      if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")) {
        host = rest[..<colon]
        digits = rest[rest.utf8.index(after: colon)...]
      }
      guard isName(host) else { throw .host }
    }
    guard let digits, !digits.isEmpty else { return (userInfo, lowercased(host), nil) }
    guard digits.utf8.allSatisfy(isASCIIDigit), let port = UInt16(digits) else { throw .port }
    return (userInfo, lowercased(host), Int(port))
  }

  /// Most hosts are in lower case as they come.
  private static func lowercased(_ host: Substring) -> String {
    host.utf8.contains { (0x41...0x5A).contains($0) } ? host.lowercased() : String(host)
  }

  /// Unreserved characters, escapes, sub-delimiters and colons (RFC 3986 §3.2.1).
  private static func isUserInfo(_ byte: UInt8) -> Bool {
    PercentEncoding.isUnreserved(byte) || "%!$&'()*+,;=:".utf8.contains(byte)
  }

  /// Labels of unreserved characters; escapes and sub-delimiters, which RFC 3986 §3.2.2 has too, mean nothing in the DNS.
  private static func isName(_ host: Substring) -> Bool {
    var isAfterDot = true
    for byte in host.utf8 {
      guard PercentEncoding.isUnreserved(byte) else { return false }
      let isDot = byte == UInt8(ascii: ".")
      // A label is never empty; the dot at the end, which stands for the root, has one before it.
      if isDot, isAfterDot { return false }
      isAfterDot = isDot
    }
    return true
  }

  /// The address's 16 bytes, or nil where the text is none; a zone (RFC 6874) makes it none.
  static func ipv6Bytes(_ address: Substring) -> [UInt8]? {
    var binary = in6_addr()
    guard inet_pton(AF_INET6, String(address), &binary) == 1 else { return nil }
    return withUnsafeBytes(of: &binary) { Array($0) }
  }
}
