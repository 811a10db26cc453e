import OAuthCore

/// An allowed API call: its methods and its URL, such as `GET https://api.github.com/**`.
///
/// In the path, `*` stands for a part without a slash, and `**` for any text. The query is free.
package struct CallRule: Sendable, Equatable {
  /// The rule as the user wrote it.
  package let text: String
  /// nil allows every method.
  private let methods: [String]?
  private let scheme: String
  private let host: String
  private let port: Int?
  /// The path's readings: as written and decoded.
  private let (written, decoded): ([UInt8], [UInt8])

  /// Throws the problem of a text that is not a rule.
  package init(_ text: String) throws(Fault) {
    let words = text.split(separator: " ")
    guard words.count == 2 else { throw Fault(problem: "must be a method and a URL, such as 'GET https://api.example.com/**'") }
    self.text = text
    methods = words[0] == "*" ? nil : words[0].split(separator: ",").map(String.init)
    guard methods?.isEmpty != true, methods?.allSatisfy({ HTTPRequest.isToken($0) && $0 == $0.uppercased() }) != false else {
      throw Fault(problem: "must begin with methods in capitals, separated by commas, or with *")
    }
    guard let url = try? URLParts(String(words[1])), url.scheme == "https" || url.scheme == "http", !url.host.contains("*") else {
      throw Fault(problem: "must have a URL with https and a whole host")
    }
    guard url.query == nil, url.fragment == nil, url.userInfo == nil else {
      throw Fault(problem: "must have a URL without a query, a fragment and a user name")
    }
    guard let readings = Self.readings(of: url.path), let last = readings.last else {
      throw Fault(problem: "must have a path without . and .., and without characters that servers read differently")
    }
    (scheme, host, port, written, decoded) = (url.scheme, url.host, url.port, readings[0], last)
  }

  package struct Fault: Error {
    package let problem: String
  }

  func matches(_ method: String, _ url: URLParts) -> Bool {
    guard methods?.contains(method) != false, url.scheme == scheme, url.host == host, url.port == port, url.userInfo == nil,
      let readings = Self.readings(of: url.path)
    else { return false }
    // Every reading must be allowed, because the server may have any of them. Some servers cut a segment at its parameters.
    return readings.enumerated().allSatisfy { index, path in
      let pattern = index == 0 ? written : decoded
      return Self.matches(path, pattern) && Self.matches(Self.withoutParameters(path), Self.withoutParameters(pattern))
    }
  }

  /// More rounds of decoding than a chain of proxies and servers needs.
  private static let rounds = 3

  /// Returns the path as written, and then as servers may read it: decoded once, twice and so on, until it no longer changes.
  /// Returns nil if servers disagree about one of these readings.
  private static func readings(of path: String) -> [[UInt8]]? {
    // Servers agree about escapes of unreserved characters and about the case of the digits (RFC 3986, 6.2.2).
    var readings = [PercentEncoding.normalized(Array((path.isEmpty ? "/" : path).utf8))]
    for round in 0...rounds {
      guard isUnambiguous(readings[round]) else { return nil }
      var next = PercentEncoding.decodeLeniently(readings[round][...], plusIsBlank: false)
      for index in next.indices where next[index] == UInt8(ascii: "\\") { next[index] = UInt8(ascii: "/") }
      if next == readings[round] { return readings }
      readings.append(next)
    }
    return nil
  }

  /// Whether all servers read the text as the same path. It has no segment of dots, which one server would follow and another not, no end of the path,
  /// and no character that only some servers know.
  private static func isUnambiguous(_ text: [UInt8]) -> Bool {
    guard !text.contains(where: { $0 < 0x20 || $0 == 0x7F || "?#".utf8.contains($0) }), !text.hasOverlongForms else { return false }
    // Some servers know `%u002e`.
    for index in text.indices.dropLast() where text[index] == UInt8(ascii: "%") && text[index + 1] | 0x20 == UInt8(ascii: "u") {
      return false
    }
    let segments = withoutParameters(text).split(separator: UInt8(ascii: "/"))
    // Some systems ignore blanks after a name.
    return !segments.contains { $0.contains(UInt8(ascii: ".")) && $0.allSatisfy { ". ".utf8.contains($0) } }
  }

  private static func withoutParameters(_ path: [UInt8]) -> [UInt8] {
    var isInParameters = false
    return path.filter { byte in
      if byte == UInt8(ascii: "/") { isInParameters = false }
      if byte == UInt8(ascii: ";") { isInParameters = true }
      return !isInParameters
    }
  }

  /// Whether the pattern matches the whole path. Follows all ways through the pattern at once, so a long path takes no more than
  /// its length times the pattern's.
  private static func matches(_ path: [UInt8], _ pattern: [UInt8]) -> Bool {
    // The positions in the path that the pattern so far may have reached.
    var reached = [Bool](repeating: false, count: path.count + 1)
    reached[0] = true
    var index = 0
    while index < pattern.count {
      let star = UInt8(ascii: "*")
      let isStar = pattern[index] == star
      let isDouble = isStar && index + 1 < pattern.count && pattern[index + 1] == star
      if isStar {
        for position in path.indices where reached[position] && (isDouble || path[position] != UInt8(ascii: "/")) {
          reached[position + 1] = true
        }
      } else {
        for position in path.indices.reversed() { reached[position + 1] = reached[position] && path[position] == pattern[index] }
        reached[0] = false
      }
      index += isDouble ? 2 : 1
    }
    return reached[path.count]
  }
}

extension [UInt8] {
  /// Whether the bytes write a character in more bytes than UTF-8 allows (RFC 3629, 3). Some decoders accept `C0 AE` for a dot.
  fileprivate var hasOverlongForms: Bool {
    indices.contains { index in
      let next = index + 1 < count ? self[index + 1] : 0
      switch self[index] {
      case 0xC0, 0xC1: return true
      case 0xE0: return (0x80..<0xA0).contains(next)
      case 0xF0: return (0x80..<0x90).contains(next)
      default: return false
      }
    }
  }
}
