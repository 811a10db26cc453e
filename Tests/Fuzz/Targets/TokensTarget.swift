@testable import Jansson
@testable import OAuthCore

/// Token responses in any format: a usable one gives its own token, every number is within its limits, and no message quotes what was sent.
struct TokensTarget: FuzzTarget {
  static let name = "tokens"

  /// What the request sent. Seeds and the dictionary contain it.
  private static let sent = "s3nt-refresh-token"

  private let hidden = Redaction([Secret(sent)])
  private let options: [TokenResponseOptions]

  init() throws {
    options = try [
      "{}", #"{"expiresZero":"expired"}"#,
      #"{"tokenPath":"authed_user","memberNames":{"expires_in":"data.expires"},"expiresDefault":60,"tokenErrors":{"success":"ok","code":"code"}}"#,
    ].map { text in
      var fields = ObjectReader(try JSON.parse(Array(text.utf8)).members ?? [])
      var options = TokenResponseOptions()
      try options.read(&fields)
      return options
    }
  }

  /// A response's first byte chooses the status, so that both kinds are reached.
  func run(_ input: [UInt8]) {
    let statuses = [200, 400, 401, 500, 302]
    let body = Array(input.dropFirst())
    let response = HTTPResponse(status: statuses[Int(input.first ?? 0) % statuses.count], body: body)
    for options in options {
      let result = outcome { () throws(OAuthFailure) in try TokenRequest.Response(response, options, hiding: hidden) }
      if let tokens = result.value { check(tokens, response, options) }
      if let failure = result.failure { check(failure) }
    }
    let plain = outcome { () throws(OAuthFailure) in try TokenRequest.Response(response, hiding: hidden) }
    if response.status == 200 { checkStandard(plain, body) }
    checkDevice(response)
  }

  private func check(_ tokens: TokenRequest.Response, _ response: HTTPResponse, _ options: TokenResponseOptions) {
    require((200..<300).contains(response.status), "the status \(response.status) gives a token")
    let token = tokens.accessToken.value
    require(!token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "the token is unfit for a header")
    require(HTTPRequest.isToken(tokens.tokenType) && !["dpop", "mac", "pop"].contains(tokens.tokenType.lowercased()), "the type is unfit")
    require(tokens.refreshToken?.value.isEmpty != true && tokens.idToken?.value.isEmpty != true, "a token is empty")
    for expiry in [tokens.expiry, tokens.refreshTokenExpiry] {
      switch expiry {
      case .unknown: break
      case .seconds(let seconds): require((0...3_155_760_000).contains(seconds), "the token lasts \(seconds) seconds")
      case .instant(let instant): require((0...100_000_000_000).contains(instant), "the token ends at \(instant)")
      }
    }
  }

  private func check(_ failure: OAuthFailure) {
    require(failure.message.plain == failure.message && !failure.message.isEmpty, "the message is not plain text")
    let shown = failure.message + JSON.object(failure.details).text.text
    require(!shown.quotes(Self.sent), "the failure quotes what was sent")
    require(failure.details.allSatisfy { $0.value.text.count < 40_000 }, "the details are long")
  }

  /// RFC 6749 §5.1 and §5.2, read without the process's rules for other formats.
  private func checkStandard(_ result: Result<TokenRequest.Response, OAuthFailure>, _ body: [UInt8]) {
    guard body.first == UInt8(ascii: "{"), let json = try? JSON.parse(body) else { return }
    if let error = json["error"]?.string, !error.isEmpty { require(result.value == nil, "an error is read as a success") }
    guard json["error"] == nil, let token = json["access_token"]?.string, !token.isEmpty,
      token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      json["token_type"] == "Bearer"
    else { return }
    require(result.value?.accessToken.value == token, "a standard response does not give its token")
    if let seconds = json["expires_in"]?.integer, (1...3_155_760_000).contains(seconds) {
      require(result.value?.expiry == .seconds(seconds), "the lifetime is another")
    }
    if let scope = json["scope"]?.string { require(result.value?.scopes?.contains { !scope.contains($0) } != true, "another scope") }
  }

  private func checkDevice(_ response: HTTPResponse) {
    let result = outcome { () throws(OAuthFailure) in try DeviceAuthorizationResponse(response, hiding: hidden) }
    if let failure = result.failure { check(failure) }
    guard let codes = result.value else { return }
    require((1...86_400).contains(codes.expiresIn) && (1...3_600).contains(codes.interval), "the times are outside their limits")
    require(!codes.userCode.isEmpty && codes.userCode.plain == codes.userCode, "the user code cannot be typed")
    for page in [codes.url, codes.verificationUri].compactMap(\.self) {
      let isSafe = ["https://", "http://127.", "http://localhost", "http://["].contains { page.lowercased().hasPrefix($0) }
      require(isSafe, "the page is \(page)")
      require((try? URLParts(page))?.hasSafeScheme == true && (try? URLParts(page))?.userInfo == nil, "the page is \(page)")
    }
  }
}
