import Jansson
import OAuthCore

/// An allowed API call: its methods and its URL, such as `GET https://api.github.com/**`.
///
/// In the path, `*` stands for a part without a slash, and `**` for any text. The query is free.
package struct CallRule: Sendable {
  /// The rule as the user wrote it.
  package let text: String
  /// nil allows every method.
  private let methods: [String]?
  private let scheme: String
  private let host: String
  private let port: Int?
  /// The path's pattern, as written and decoded once.
  private let pattern: (written: [UInt8], decoded: [UInt8])

  package init(_ text: String, at path: String = "") throws(FieldError) {
    let words = text.split(separator: " ")
    guard words.count == 2 else { throw FieldError(path, "must be a method and a URL, such as 'GET https://api.example.com/**'") }
    self.text = text
    methods = words[0] == "*" ? nil : words[0].split(separator: ",").map(String.init)
    guard methods?.isEmpty != true, methods?.allSatisfy({ HTTPRequest.isToken($0) && $0 == $0.uppercased() }) != false else {
      throw FieldError(path, "must begin with methods in capitals, separated by commas, or with *")
    }
    guard let url = try? URLParts(String(words[1])), url.scheme == "https" || url.scheme == "http", !url.host.contains("*") else {
      throw FieldError(path, "must have a URL with https and a whole host")
    }
    guard url.query == nil, url.fragment == nil, url.userInfo == nil else {
      throw FieldError(path, "must have a URL without a query, a fragment and a user name")
    }
    guard let pattern = Self.readings(of: url.path) else {
      throw FieldError(path, "must have a path without . and .. as its parts, and without ; and %25, %2E and %5C")
    }
    (scheme, host, port, self.pattern) = (url.scheme, url.host, url.port, pattern)
  }

  func matches(_ method: String, _ url: URLParts) -> Bool {
    guard methods?.contains(method) != false, url.scheme == scheme, url.host == host, url.port == port, url.userInfo == nil,
      let path = Self.readings(of: url.path)
    else { return false }
    return Self.matches(path.written, pattern.written) && Self.matches(path.decoded, pattern.decoded)
  }

  /// Whether all servers read the path in the same way.
  package static func isReadable(_ path: String) -> Bool { readings(of: path) != nil }

  /// What servers read differently: a backslash, a dot and a percent sign behind an escape, and parameters of a segment.
  private static let refused = ["%5c", "%2e", "%25", ";", "%3b"]

  /// Returns the path as written and decoded once; nil for a path that may lead elsewhere. It is ASCII.
  private static func readings(of path: String) -> (written: [UInt8], decoded: [UInt8])? {
    let (written, small) = (Array((path.isEmpty ? "/" : path).utf8), path.lowercased())
    let decoded = PercentEncoding.decodeLeniently(written[...], plusIsBlank: false)
    let hasDots = [written, decoded].contains { reading in
      reading.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    }
    // An incomplete escape such as `%%32e` becomes another one when it is decoded.
    guard !hasDots, !decoded.contains(UInt8(ascii: "%")), !refused.contains(where: small.contains) else { return nil }
    return (written, decoded)
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
