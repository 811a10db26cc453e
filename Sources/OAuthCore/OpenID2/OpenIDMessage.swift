import Jansson

/// An OpenID message's fields without their prefix `openid.`, in order (OpenID Authentication 2.0, 4.1).
package struct OpenIDMessage: Sendable, CustomStringConvertible, CustomReflectable {
  package static let namespace = "http://specs.openid.net/auth/2.0"
  package static let identifierSelect = "http://specs.openid.net/auth/2.0/identifier_select"
  static let attributeExchange = "http://openid.net/srv/ax/1.0"

  package private(set) var fields: [(name: String, value: String)]

  package init(_ fields: [(name: String, value: String)]) { self.fields = fields }

  /// Reads a redirect. A repeated field is ambiguous and forbidden by 4.1.2, so it makes the response untrusted.
  package init(_ parameters: [RedirectParameter]) throws(OAuthFailure) {
    fields = []
    var names: Set<String> = []
    for parameter in parameters where parameter.name.utf8.starts(with: "openid.".utf8) {
      let name = String(Substring(parameter.name.utf8.dropFirst("openid.".utf8.count)))
      guard names.insert(name).inserted else { throw .untrusted("an OpenID field occurs twice in the redirect") }
      fields.append((name, parameter.value))
    }
  }

  /// Reads a direct response (5.1.2): lines of `name:value` (4.1.1). Ignores empty lines, and white space around names and values, as the libraries
  /// of its time did. Parsers disagree about which value of a repeated name counts.
  package init(_ response: HTTPResponse) throws(OAuthFailure) {
    fields = []
    var names: Set<String> = []
    guard let text = String(validating: response.body, as: UTF8.self) else { throw Self.malformed }
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) where !Substring(line).trimmed.isEmpty {
      let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false).map { Substring($0).trimmed }
      guard parts.count == 2, names.insert(String(parts[0])).inserted else { throw Self.malformed }
      fields.append((String(parts[0]), String(parts[1])))
    }
  }

  private static let malformed = OAuthFailure.untrusted("the OpenID provider's response is not in key-value form")

  /// Returns the field's value; an empty one counts as missing.
  package subscript(_ name: String) -> String? {
    guard let value = fields.first(where: { $0.name == name })?.value, !value.isEmpty else { return nil }
    return value
  }

  package mutating func set(_ name: String, _ value: String) {
    if let index = fields.firstIndex(where: { $0.name == name }) { fields[index].value = value } else { fields.append((name, value)) }
  }

  /// Returns the alias that the message declares for the extension (section 12).
  func alias(of namespace: String) -> String? {
    fields.first { $0.value == namespace && $0.name.utf8.starts(with: "ns.".utf8) }
      .map { String(Substring($0.name.utf8.dropFirst("ns.".utf8.count))) }
  }

  /// The fields as parameters of a query or a form (4.1.2).
  package var parameters: [(String, String)] { fields.map { ("openid." + $0.name, $0.value) } }

  /// Returns a direct request to the provider, with the message as a form (5.1.1).
  func directRequest(to endpoint: String) -> HTTPRequest {
    var request = HTTPRequest(
      method: "POST", url: endpoint, headers: [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")],
      body: .bytes(Array(FormEncoding.encode(parameters).utf8)))
    request.timeout = 30
    // A response is a few lines; one above 64 KiB is something else.
    request.maxBytes = 1 << 16
    return request
  }

  /// Names only, since the values include keys, codes and tokens.
  package var description: String { "OpenID message with \(fields.map(\.name))" }
  package var customMirror: Mirror { Mirror(self, children: ["names": fields.map(\.name)]) }
}

/// An assertion's `response_nonce` (OpenID Authentication 2.0, 10.1): when the provider answered, and a unique suffix.
package struct OpenIDNonce: Sendable, Equatable {
  /// Seconds that the instant may lie in the past or future. An hour covers clocks set by hand or with the wrong daylight saving time.
  package static let window = 3600

  /// Unix seconds.
  package let instant: Int

  /// Returns nil for an invalid nonce: it has at most 255 characters from `!` to `~` and starts with a UTC instant (RFC 3339) without fractions.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard (20...255).contains(bytes.count), bytes.allSatisfy({ (33...126).contains($0) }) else { return nil }
    // Without a fraction, the instant has 20 bytes.
    guard let instant = Instant(iso8601: String(text.prefix(20))), bytes[19] == UInt8(ascii: "Z") else { return nil }
    self.instant = instant.seconds
  }

  package func isFresh(at now: Int) -> Bool { abs(now - instant) <= Self.window }
}

/// The response at `return_to` (OpenID Authentication 2.0, section 10), after our `state` has shown which sign-in it belongs to.
extension OpenIDMessage {
  /// Throws the denial or the error of a response that asserts no sign-in. The assertion itself is not verified yet.
  package func checkMode() throws(OAuthFailure) {
    switch self["mode"] {
    case "id_res"?: return
    case "cancel"?: throw OAuthFailure.denied(nil, [.init("error", "cancel")])
    case "error"?: throw providerError
    case "setup_needed"?:
      throw OAuthFailure(
        .authorizationServerError, "the OpenID provider needs to ask the user first", details: [.init("error", "setup_needed")])
    default: throw .untrusted("the redirect is not a response of an OpenID provider")
    }
  }

  private var providerError: OAuthFailure {
    let hidden = Redaction(fields.filter { $0.name.hasSuffix(".code") || $0.name.hasSuffix(".state") }.map { Secret($0.value) })
    // 5.2.3 defines a text for the user but no code.
    let text = self["error"].map(hidden.clean) ?? "error"
    return OAuthFailure(
      .authorizationServerError, "the OpenID provider rejected the sign-in: \(text)", details: [.init("error", .string(text))])
  }
}
