import Jansson

/// What somebody types to say who he is or who knows him, brought into its one form (OpenID Authentication 2.0, 7.2).
package struct OpenIDIdentifier: Sendable, Equatable, CustomStringConvertible {
  package let url: URLParts

  /// The claimed identifier's text.
  package var description: String { url.description }

  /// Refuses XRIs, whose resolvers are gone, and http elsewhere than on this machine: whoever sits on the way could say who the user is.
  ///
  /// The specification puts `http://` before what has no scheme. That form could never be looked up here, so it is `https://`, which is
  /// another identifier to whoever takes the text for one, and the only one that can be proven.
  package init(_ text: String) throws(OAuthFailure) {
    var rest = Substring(text)
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    if rest.lowercased().hasPrefix("xri://") || rest.first.map({ "=@+$!(".contains($0) }) == true {
      throw Self.invalid("is an xri, which is not supported; use the https url")
    }
    let lowered = rest.lowercased()
    let hasScheme = lowered.hasPrefix("http://") || lowered.hasPrefix("https://")
    if !hasScheme, lowered.contains("://") { throw Self.invalid("has to be an https url") }
    try self.init(url: hasScheme ? String(rest) : Self.withScheme(rest))
  }

  /// The identifier that an absolute URL is, such as one that a provider names or a redirect leads to.
  init(url text: String) throws(OAuthFailure) {
    let given: URLParts
    do throws(URLFailure) {
      given = try URLParts(text)
      // Resolving takes the dot segments out (RFC 3986, 6.2.2.3).
      let path = Self.normalized(try given.resolve(text).path)
      url = try URLParts(given.origin + (path.isEmpty ? "/" : path) + (given.query.map { "?" + Self.normalized($0) } ?? ""))
    } catch {
      throw Self.invalid("is no url: \(error)")
    }
    guard given.scheme == "https" || given.scheme == "http" else { throw Self.invalid("has to be an https url") }
    guard AllowedHosts.isSafe(url) else {
      throw Self.invalid("has to be an https url: over http anybody on the way could answer for it (this machine aside)")
    }
    guard given.userInfo == nil else { throw Self.invalid("must not contain a user name") }
  }

  private static func withScheme(_ text: Substring) -> String {
    let onThisMachine = "http://" + text
    if let url = try? URLParts(onThisMachine), url.isLoopback { return onThisMachine }
    return "https://" + text
  }

  /// Escapes in capitals, those of unreserved characters undone (RFC 3986, 6.2.2.1 and 6.2.2.2), and never an empty path (6.2.3).
  private static func normalized(_ text: String) -> String {
    var result: [UInt8] = []
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = hexDigitValue(bytes[index + 1]),
        let low = hexDigitValue(bytes[index + 2])
      {
        let byte = high << 4 | low
        if PercentEncoding.isUnreserved(byte) { result.append(byte) } else { PercentEncoding.append(byte, to: &result) }
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  static func invalid(_ problem: String) -> OAuthFailure {
    OAuthFailure(.configurationInvalid, "the openid identifier \(problem)", details: [.init("path", "/provider/openidIdentifier")])
  }

  package static func == (a: OpenIDIdentifier, b: OpenIDIdentifier) -> Bool { a.description == b.description }
}
