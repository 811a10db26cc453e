import Jansson
import Platform

/// The parts of an absolute URL (RFC 3986 §3): http, https, or an app's own scheme.
///
/// Parsing is strict where parsers disagree: if two parsers see different hosts in a URL, a token can leak. Control characters, spaces and
/// backslashes are rejected everywhere, escapes and non-ASCII in the host. Non-ASCII in path, query and fragment is percent-encoded.
package struct URLParts: Hashable, Sendable, CustomStringConvertible {
  /// In lower case.
  package let scheme: String
  /// Whether `//` follows the scheme; always true for http and https.
  package let hasAuthority: Bool
  /// As written, without the `@`. Code that takes a URL from outside must reject it.
  package let userInfo: String?
  /// In lower case; an IPv6 address keeps its brackets. Empty only with an app's own scheme.
  package let host: String
  /// The port in the text, or nil; leading zeros are dropped.
  package let explicitPort: Int?
  /// As written; may be empty.
  package internal(set) var path: String
  /// Without the `?`; nil differs from empty.
  package internal(set) var query: String?
  /// Without the `#`.
  package var fragment: String?

  package init(_ text: String) throws(URLFailure) {
    let reference = try URLReference(text)
    guard let scheme = reference.scheme else { throw .scheme }
    try self.init(scheme: scheme, reference: reference, path: reference.path)
  }

  /// Creates the URL of a host, with its port if the text has one. nil if the text is more than that: a credential is not for a host in another part
  /// of the text.
  package init?(scheme: String, host: String) {
    let isHost = host.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || ":[]".utf8.contains($0) }
    guard isHost, ["https", "http"].contains(scheme), let url = try? URLParts("\(scheme)://\(host)/") else { return nil }
    self = url
  }

  /// Creates a URL from the scheme and path given, with the reference's authority, query and fragment.
  package init(scheme: String, reference: URLReference, path: String) throws(URLFailure) {
    (self.scheme, self.path) = (scheme, path)
    query = reference.query
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

  /// The explicit port, else the scheme's default: 80 or 443. nil with an app's own scheme.
  package var port: Int? { explicitPort ?? defaultPort }

  private var defaultPort: Int? {
    switch scheme {
    case "http": 80
    case "https": 443
    default: nil
    }
  }

  /// Scheme, host and port, without the scheme's default port (RFC 6454 §6.2). Used to compare URLs.
  package var origin: String { scheme + "://" + hostAndPort }

  /// The host, with its port unless it is the scheme's default. The port distinguishes services on the same machine.
  package var hostAndPort: String {
    let port = explicitPort == defaultPort ? nil : explicitPort
    return host + (port.map { ":\($0)" } ?? "")
  }

  /// Origin and path, for messages. The query is left out, since some services take a key in it.
  package var shown: String { origin + path }

  /// Whether the host is certainly this machine: `localhost`, `[::1]` in any spelling, or four plain decimals that start with 127.
  ///
  /// False for `2130706433`, `0x7f.1`, `127.1` and `0177.0.0.1`, since resolvers read them differently (RFC 3986 §7.4).
  package var isLoopback: Bool {
    if host == "localhost" { return true }
    if host.utf8.first == UInt8(ascii: "[") { return Self.ipv6Bytes(host.dropFirst().dropLast()) == [UInt8](repeating: 0, count: 15) + [1] }
    let octets = host.split(separator: ".", omittingEmptySubsequences: false)
    return octets.count == 4 && octets[0] == "127" && octets.allSatisfy { octet in UInt8(octet).map(String.init) == String(octet) }
  }

  /// Whether the scheme protects what is sent: https, or http on this machine or to a host of `httpHosts`.
  package var hasSafeScheme: Bool { scheme == "https" || (scheme == "http" && (isLoopback || PlainHosts.name(self))) }

  /// The URL as text. It equals the parsed text if that was ASCII, with scheme and host in lower case.
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

  /// Returns the URL with these pairs after its own query, which RFC 6749 §3.1 requires to be retained.
  ///
  /// A space becomes `%20`, which form decoders and percent decoders both understand; only form decoders understand `+`.
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

  /// Returns the URL with these pairs after the path in its fragment, for single-page apps that route by the fragment.
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
    // The last `@` ends the user information. Parsers disagree about an earlier unescaped `@`, so `isUserInfo` rejects it.
    if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
      guard rest[..<at].utf8.allSatisfy(isUserInfo) else { throw .userInfo }
      userInfo = String(rest[..<at])
      rest = rest[rest.utf8.index(after: at)...]
    }

    // An address in brackets has colons of its own.
    let isAddress = rest.utf8.first == UInt8(ascii: "[")
    guard let start = isAddress ? rest.utf8.firstIndex(of: UInt8(ascii: "]")) : rest.startIndex else { throw .host }
    let colon = rest.utf8[start...].firstIndex(of: UInt8(ascii: ":"))
    let host = rest[..<(colon ?? rest.endIndex)]
    let isHost = isAddress ? host.utf8.last == UInt8(ascii: "]") && ipv6Bytes(host.dropFirst().dropLast()) != nil : isName(host)
    guard isHost else { throw .host }
    guard let digits = colon.map({ rest[$0...].dropFirst() }), !digits.isEmpty else { return (userInfo, host.lowercased(), nil) }
    guard digits.utf8.allSatisfy(isASCIIDigit), let port = UInt16(digits) else { throw .port }
    return (userInfo, host.lowercased(), Int(port))
  }

  /// Unreserved characters, escapes, sub-delimiters and colons (RFC 3986 §3.2.1).
  private static func isUserInfo(_ byte: UInt8) -> Bool { PercentEncoding.isUnreserved(byte) || "%!$&'()*+,;=:".utf8.contains(byte) }

  /// Checks for labels of unreserved characters. RFC 3986 §3.2.2 also allows escapes and sub-delimiters, but the DNS does not use them.
  private static func isName(_ host: Substring) -> Bool {
    // A label is never empty. A dot at the end, which means the root, follows a label. By bytes, because every call parses URLs.
    var before = UInt8(ascii: ".")
    return host.utf8.allSatisfy { byte in
      defer { before = byte }
      return PercentEncoding.isUnreserved(byte) && (byte, before) != (UInt8(ascii: "."), UInt8(ascii: "."))
    }
  }

  /// Returns the address's 16 bytes; nil if it is not a valid IPv6 address. A zone (RFC 6874) is invalid.
  package static func ipv6Bytes(_ address: Substring) -> [UInt8]? {
    var binary = in6_addr()
    guard inet_pton(AF_INET6, String(address), &binary) == 1 else { return nil }
    return withUnsafeBytes(of: &binary) { Array($0) }
  }
}

/// Reading and changing single query values.
extension URLParts {
  /// Returns the first value of this name.
  package func queryValue(_ name: String) -> String? { FormEncoding.decodeLeniently(query ?? "").first { $0.0 == name }?.1 }

  /// Returns the URL with this value as the only one of this name. The other pairs keep their order and spelling.
  package func settingQuery(_ name: String, to value: String) -> URLParts { replacingQuery([(name, value)]) }

  /// Returns the URL with these pairs as the only ones of their names (RFC 6749, 3.1).
  package func replacingQuery(_ pairs: [(String, String)]) -> URLParts {
    removingQuery { name, _ in pairs.contains { $0.0 == name } }.appendingQuery(pairs)
  }

  /// Returns the URL without the pairs for which `isUnwanted` is true. The other pairs keep their spelling.
  package func removingQuery(where isUnwanted: (String, String) -> Bool) -> URLParts {
    guard let query else { return self }
    let pairs = query.split(separator: "&", omittingEmptySubsequences: false)
    let remaining = pairs.filter { pair in !FormEncoding.decodeLeniently(String(pair)).contains { isUnwanted($0.0, $0.1) } }
    guard remaining.count < pairs.count else { return self }
    var url = self
    url.query = remaining.isEmpty ? nil : remaining.joined(separator: "&")
    return url
  }
}
