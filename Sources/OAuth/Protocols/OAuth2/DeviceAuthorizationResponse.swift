import Jansson

/// What the device authorization endpoint gave (RFC 8628, 3.2): a code for us, and a page and a code for somebody with a browser.
package struct DeviceAuthorizationResponse: Sendable {
  package var deviceCode: Secret
  /// As somebody types it.
  package var userCode: String
  /// The page to show, which knows the code already where the provider has such a page.
  package var url: String
  /// The page where the user types the code.
  package var verificationUri: String?
  /// Seconds that the codes live.
  package var expiresIn: Int
  /// Seconds from one question to the next.
  package var interval: Int

  /// The specification wants the life to be told; ten minutes are what most providers give, and the provider ends its code by itself anyhow.
  package static let usualLife = 600
  /// RFC 8628, 3.2.
  package static let usualInterval = 5
  /// A provider that says 0 would be asked without a pause.
  private static let shortestInterval = 1
  /// Nobody waits longer than a day for a code, nor an hour between two questions; what says so means another unit.
  private static let longestLife = 86_400
  private static let longestInterval = 3_600
  /// Nobody types more; what is longer is no code but something else that would be shown to somebody.
  private static let longestUserCode = 64

  package init(_ response: HTTPResponse, _ provider: Provider = .init()) throws(OAuthFailure) {
    try self.init(response, provider, hiding: .none)
  }

  /// `hidden` is what the request sent and no failure may quote.
  init(_ response: HTTPResponse, _ provider: Provider, hiding hidden: Redaction) throws(OAuthFailure) {
    var manner = AnswerManner()
    manner.memberNames = provider.device.deviceMemberNames
    manner.tokenErrors = provider.answer.tokenErrors
    let answer = TokenAnswer(response, manner, hiding: hidden)
    if let failure = answer.failure { throw failure }
    guard let code = answer["device_code"]?.string, !code.isEmpty else { throw answer.missing("device code", of: "device") }
    deviceCode = Secret(code)
    userCode = Self.typable(answer["user_code"]?.string ?? "")
    if userCode.isEmpty { throw .untrusted("the device answer has no code to type") }
    if userCode.unicodeScalars.count > Self.longestUserCode { throw .untrusted("the code to type is too long for anybody to type") }
    let complete = answer["verification_uri_complete"]?.string ?? ""
    // Google's name for it, from before RFC 8628.
    let plain = (answer["verification_uri"] ?? answer["verification_url"])?.string ?? ""
    let page = complete.isEmpty ? plain : complete
    if page.isEmpty { throw .untrusted("the device answer has no page to open") }
    guard Self.isPage(page) else { throw .untrusted("the page of the device answer is no https url") }
    url = page
    verificationUri = Self.isPage(plain) ? plain : nil
    let life = TokenExpiry.number(answer["expires_in"]).flatMap { $0 > 0 ? $0 : nil }
    expiresIn = life.map { Int(min($0, Double(Self.longestLife)).rounded(.up)) } ?? Self.usualLife
    interval = Self.interval(answer["interval"]) ?? Self.usualInterval
  }

  /// Whole seconds between two questions, as an answer says it; nil where it says nothing that can be meant.
  static func interval(_ json: JSON?) -> Int? {
    guard let seconds = TokenExpiry.number(json), seconds >= 0 else { return nil }
    return max(shortestInterval, Int(min(seconds, Double(longestInterval)).rounded(.up)))
  }

  /// A code without what nobody can type or see: control characters, and those that turn the direction of what is around them.
  private static func typable(_ text: String) -> String {
    let visible = text.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
    let code = String(String.UnicodeScalarView(visible))
    return String(code.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  /// Somebody signs in on it, so nothing but https will do, or http to this very machine; and it is shown on terminals as it stands.
  private static func isPage(_ text: String) -> Bool {
    guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
    guard let url = try? URLParts(text) else { return false }
    return (url.scheme == "https" || (url.scheme == "http" && url.isLoopback)) && url.userInfo == nil && !url.host.isEmpty
  }
}
