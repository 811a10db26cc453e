import Jansson

/// The identifier of the user or the provider that the user types, normalized (OpenID Authentication 2.0, 7.2).
package struct OpenIDIdentifier: Sendable, Equatable, CustomStringConvertible {
  package let url: URLParts

  /// The claimed identifier's text.
  package var description: String { url.description }

  /// Rejects XRIs, whose resolvers are gone, and http except on this machine: over http, an attacker on the network could impersonate the user.
  ///
  /// The specification adds `http://` to a text without a scheme. Such an identifier would be rejected here, so `https://` is added. As text, this is
  /// a different identifier, but the only one that can be proven.
  package init(_ text: String) throws(OAuthFailure) {
    let rest = text.trimmed
    if rest.lowercased().hasPrefix("xri://") || rest.first.map({ "=@+$!(".contains($0) }) == true {
      throw Self.invalid("is an XRI, which is not supported; use the https URL")
    }
    let lowered = rest.lowercased()
    let hasScheme = lowered.hasPrefix("http://") || lowered.hasPrefix("https://")
    if !hasScheme, lowered.contains("://") { throw Self.invalid("must be an https URL") }
    try self.init(url: hasScheme ? String(rest) : Self.withScheme(rest))
  }

  /// Creates an identifier from an absolute URL, such as one that a provider names or that a redirect leads to.
  package init(url text: String) throws(OAuthFailure) {
    let given: URLParts
    do throws(URLFailure) {
      given = try URLParts(text)
      // `resolve` removes dot segments (RFC 3986, 6.2.2.3).
      let path = Self.normalized(try given.resolve(text).path)
      url = try URLParts(given.origin + (path.isEmpty ? "/" : path) + (given.query.map { "?" + Self.normalized($0) } ?? ""))
    } catch {
      throw Self.invalid("is not a URL: \(error)")
    }
    guard given.scheme == "https" || given.scheme == "http" else { throw Self.invalid("must be an https URL") }
    guard url.hasSafeScheme else {
      throw Self.invalid("must be an https URL, or http on this machine: over http an attacker on the network could answer for it")
    }
    guard given.userInfo == nil else { throw Self.invalid("must not contain a user name") }
  }

  private static func withScheme(_ text: Substring) -> String {
    let onThisMachine = "http://" + text
    if let url = try? URLParts(onThisMachine), url.isLoopback { return onThisMachine }
    return "https://" + text
  }

  /// Capitalizes escapes and decodes those of unreserved characters (RFC 3986, 6.2.2.1 and 6.2.2.2).
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

  package static func invalid(_ problem: String) -> OAuthFailure {
    OAuthFailure(.configurationInvalid, "the OpenID identifier \(problem)", details: [.init("path", "/provider/openidIdentifier")])
  }

  package static func == (a: OpenIDIdentifier, b: OpenIDIdentifier) -> Bool { a.description == b.description }
}
