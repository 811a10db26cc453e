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
  private let path: [UInt8]

  /// Throws the problem of a text that is not a rule.
  package init(_ text: String) throws(Fault) {
    let words = text.split(separator: " ")
    guard words.count == 2 else { throw Fault(problem: "must be a method and a url, such as 'GET https://api.example.com/**'") }
    self.text = text
    methods = words[0] == "*" ? nil : words[0].split(separator: ",").map(String.init)
    guard methods?.isEmpty != true, methods?.allSatisfy({ HTTPRequest.isToken($0) && $0 == $0.uppercased() }) != false else {
      throw Fault(problem: "must begin with methods in capitals, separated by commas, or with *")
    }
    guard let url = try? URLParts(String(words[1])), url.scheme == "https" || url.scheme == "http", !url.host.contains("*") else {
      throw Fault(problem: "must have a url with https and a whole host")
    }
    guard url.query == nil, url.fragment == nil, url.userInfo == nil else {
      throw Fault(problem: "must have a url without a query, a fragment and a user name")
    }
    guard let path = Self.normalized(url.path) else { throw Fault(problem: "must have a path without . and ..") }
    (scheme, host, port, self.path) = (url.scheme, url.host, url.port, path)
  }

  package struct Fault: Error {
    package let problem: String
  }

  func matches(_ method: String, _ url: URLParts) -> Bool {
    guard methods?.contains(method) != false, url.scheme == scheme, url.host == host, url.port == port, url.userInfo == nil,
      let path = Self.normalized(url.path)
    else { return false }
    return Self.matches(path, self.path)
  }

  /// Returns the path as a lenient server may read it: escapes decoded, a backslash as a slash. Returns nil if it has a segment of dots, which one
  /// server would follow and another not.
  private static func normalized(_ path: String) -> [UInt8]? {
    var text = Array((path.isEmpty ? "/" : path).utf8)
    // Some servers decode twice.
    for _ in 0..<2 { text = PercentEncoding.decodeLeniently(text[...], plusIsBlank: false) }
    for index in text.indices where text[index] == UInt8(ascii: "\\") { text[index] = UInt8(ascii: "/") }
    let segments = text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    // Some servers cut a segment at its parameters.
    let names = segments.map { $0.prefix { $0 != UInt8(ascii: ";") } }
    guard !names.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }), !text.contains(where: { $0 < 0x20 }) else {
      return nil
    }
    return text
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
