import Jansson

/// The device authorization endpoint's response (RFC 8628, 3.2): a device code for the client, and a page and a code for the user's browser.
package struct DeviceAuthorizationResponse: Sendable {
  package var deviceCode: Secret
  /// The code that the user types.
  package var userCode: String
  /// The page to show: `verification_uri_complete`, which contains the code, or else `verification_uri`.
  package var url: String
  /// The page where the user types the code.
  package var verificationUri: String?
  /// Seconds until both codes expire.
  package var expiresIn: Int
  /// Seconds between two polls.
  package var interval: Int

  /// Seconds for a response without `expires_in`, which RFC 8628 requires. Most providers use ten minutes.
  package static let usualLife = 600
  /// Seconds (RFC 8628, 3.2).
  package static let usualInterval = 5
  /// Seconds. Keeps the process from polling without a pause when a provider sends 0.
  private static let shortestInterval = 1
  /// A day, and an hour between polls, in seconds. A larger number is probably in another unit.
  private static let longestLife = 86_400
  private static let longestInterval = 3_600
  /// Characters. A longer text is not a code for a user to type, and the user would see it.
  private static let longestUserCode = 64

  /// `hidden` holds the values that the request sent and that no error may quote.
  package init(_ response: HTTPResponse, _ provider: Provider = .init(), hiding hidden: Redaction = .none) throws(OAuthFailure) {
    var options = TokenResponseOptions()
    options.memberNames = provider.device.deviceMemberNames
    options.tokenErrors = provider.tokenResponse.tokenErrors
    let parsed = AuthorizationServerResponse(response, options, hiding: hidden)
    if let failure = parsed.failure { throw failure }
    guard let code = parsed["device_code"]?.string else { throw parsed.missing("device code", of: "device") }
    deviceCode = Secret(code)
    userCode = String((parsed["user_code"]?.string ?? "").plain.trimmed)
    if userCode.isEmpty { throw .untrusted("the device response has no user code") }
    if userCode.unicodeScalars.count > Self.longestUserCode { throw .untrusted("the user code is too long to type") }
    let complete = parsed["verification_uri_complete"]?.string ?? ""
    // Google's member name, older than RFC 8628.
    let plain = (parsed["verification_uri"] ?? parsed["verification_url"])?.string ?? ""
    let page = complete.isEmpty ? plain : complete
    if page.isEmpty { throw .untrusted("the device response has no verification page") }
    guard Self.isPage(page) else { throw .untrusted("the verification page of the device response is not an https URL") }
    url = page
    verificationUri = Self.isPage(plain) ? plain : nil
    let life = TokenExpiry.number(parsed["expires_in"]).flatMap { $0 > 0 ? $0 : nil }
    expiresIn = life.map { Int(min($0, Double(Self.longestLife)).rounded(.up)) } ?? Self.usualLife
    interval = Self.interval(parsed["interval"]) ?? Self.usualInterval
  }

  /// Returns the whole seconds between two polls; nil if the member is missing or invalid.
  package static func interval(_ json: JSON?) -> Int? {
    guard let seconds = TokenExpiry.number(json), seconds >= 0 else { return nil }
    return max(shortestInterval, Int(min(seconds, Double(longestInterval)).rounded(.up)))
  }

  /// Checks that the page is https, or http on this machine, since the user signs in on it. Terminals show it unescaped, so only ASCII is allowed.
  private static func isPage(_ text: String) -> Bool {
    guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
    guard let url = try? URLParts(text) else { return false }
    return url.hasSafeScheme && url.userInfo == nil && !url.host.isEmpty
  }
}
