import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// Requests to the device authorization endpoint, and the reading of its responses.
struct DeviceAuthorizationTests {
  private static let endpoint = JSON.Member("deviceAuthorizationEndpoint", "https://id.example/device?x=1")

  private static func provider(_ members: String) throws -> Provider {
    let own = try JSON.parse(Array(members.utf8)).members ?? []
    return try Provider.decode(.object([endpoint, .init("tokenEndpoint", "https://id.example/token")] + own))
  }

  @Test(
    arguments: [
      ("{}", nil, "https://id.example/device?x=1", "client_id=c&scope=a%20b&audience=api", nil),
      ("{}", "s", "https://id.example/device?x=1", "client_id=c&scope=a%20b&audience=api", "Basic Yzpz"),
      (
        #"{"clientAuthentication":"body"}"#, "s", "https://id.example/device?x=1",
        "client_id=c&scope=a%20b&audience=api&client_secret=s", nil
      ),
      (#"{"clientAuthentication":"none"}"#, "s", "https://id.example/device?x=1", "client_id=c&scope=a%20b&audience=api", nil),
      (#"{"deviceClientIdIn":"query"}"#, nil, "https://id.example/device?x=1&client_id=c", "scope=a%20b&audience=api", nil),
      (#"{"deviceClientIdIn":"query"}"#, "s", "https://id.example/device?x=1&client_id=c", "scope=a%20b&audience=api", "Basic Yzpz"),
      (
        #"{"deviceParameters":{"response_type":"device_code","scope":"z","audience":"own","client_id":"evil"}}"#, nil,
        "https://id.example/device?x=1", "client_id=c&response_type=device_code&scope=z&audience=own", nil
      ),
      (
        #"{"scopeSeparator":",","scopeParameter":"scopes","parameterNames":{"client_id":"client_key"}}"#, nil,
        "https://id.example/device?x=1", "client_key=c&scopes=a%2Cb&audience=api", nil
      ),
    ] as [(String, String?, String, String, String?)])
  func theRequest(members: String, secret: String?, url: String, body: String, authorization: String?) throws {
    let client = Client(id: "c", secret: secret.map(Secret.init))
    let sent = try #require(
      DeviceAuthorizationRequest.httpRequest(
        try Self.provider(members), client, scopes: ["a", "b"], parameters: [("audience", "api"), ("client_id", "mine")]))
    #expect(sent.method == "POST" && sent.url == url)
    #expect(sent.text.replacing("+", with: "%20") == body)
    #expect(sent.header("Authorization") == authorization)
    #expect(sent.header("Accept") == "application/json" && sent.header("Content-Type") == "application/x-www-form-urlencoded")
  }

  @Test func withoutAnEndpointThereIsNoRequest() {
    #expect(DeviceAuthorizationRequest.httpRequest(Provider(), Client(id: "c"), scopes: []) == nil)
  }

  @Test(arguments: [
    ("{}", "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=D&resource=r&client_id=c"),
    (#"{"deviceGrantType":"device_code"}"#, "grant_type=device_code&device_code=D&resource=r&client_id=c"),
    (
      #"{"sendsUserCode":true,"resourceIndicator":"off"}"#,
      "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=D&user_code=U&client_id=c"
    ),
    (
      #"{"parameterNames":{"device_code":"code"}}"#,
      "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&code=D&resource=r&client_id=c"
    ),
  ])
  func thePollingRequest(members: String, body: String) throws {
    let request = TokenRequest.device(Secret("D"), userCode: "U", resource: "r")
    let sent = try #require(request.httpRequest(try Self.provider(members), Client(id: "c")))
    #expect(sent.url == "https://id.example/token" && sent.text == body)
    #expect(request.secrets == [Secret("D")])
  }

  private static func response(_ members: String, _ provider: Provider = .init()) throws(OAuthFailure) -> DeviceAuthorizationResponse {
    try DeviceAuthorizationResponse(.json("{" + members + "}"), provider)
  }

  private static let usual = #""device_code":"D","user_code":"AB-12","verification_uri":"https://id.example/d""#

  @Test func theResponse() throws {
    let plain = try Self.response(Self.usual)
    #expect(plain.deviceCode == Secret("D") && plain.userCode == "AB-12" && plain.url == "https://id.example/d")
    #expect(plain.expiresIn == 600 && plain.interval == 5)
    let complete = try Self.response(Self.usual + #","verification_uri_complete":"https://id.example/d?c=AB-12#x""#)
    #expect(complete.url == "https://id.example/d?c=AB-12#x" && complete.userCode == "AB-12")
    #expect(try Self.response(Self.usual + #","verification_uri_complete":"""#).url == "https://id.example/d")
  }

  @Test(arguments: [
    ("300", 300), ("\"300\"", 300), ("299.5", 300), ("0", 600), ("-1", 600), ("null", 600), ("\"soon\"", 600), ("1e300", 86_400),
  ])
  func theLife(value: String, seconds: Int) throws {
    #expect(try Self.response(Self.usual + ",\"expires_in\":\(value)").expiresIn == seconds)
  }

  /// 0 must not make a loop that never pauses.
  @Test(arguments: [
    ("2", 2), ("\"7\"", 7), ("0.5", 1), ("0", 1), ("\"0\"", 1), ("-1", 5), ("null", 5), ("{}", 5), ("1e300", 3_600),
  ])
  func theInterval(value: String, seconds: Int) throws {
    #expect(try Self.response(Self.usual + ",\"interval\":\(value)").interval == seconds)
  }

  @Test func membersElsewhere() throws {
    let provider = try Self.provider(
      #"{"deviceMemberNames":{"verification_uri":"verification_url","device_code":"data.code","user_code":"data.user"}}"#)
    let response = try Self.response(#""data":{"code":"D","user":"U"},"verification_url":"https://id.example/d""#, provider)
    #expect(response.deviceCode == Secret("D") && response.userCode == "U" && response.url == "https://id.example/d")
    #expect(failure { try Self.response(Self.usual, provider) }?.kind == .responseUntrusted)
    // Google's name for it needs no description.
    #expect(
      try Self.response(#""device_code":"D","user_code":"U","verification_url":"https://id.example/d""#).url == "https://id.example/d")
  }

  @Test(arguments: [
    (#" AB\u0000C\r\n\u001b1 "#, "ABC1"), (#"A\u202eB"#, "AB"), ("BDWP HQPK", "BDWP HQPK"), ("ÄÖ-12", "ÄÖ-12"),
  ])
  func theCodeIsCleaned(written: String, code: String) throws {
    #expect(try Self.response(#""device_code":"D","user_code":"\#(written)","verification_uri":"https://id.example/d""#).userCode == code)
  }

  @Test(arguments: [
    #""user_code":"U","verification_uri":"https://x/""#, #""device_code":"","user_code":"U","verification_uri":"https://x/""#,
    #""device_code":"D","verification_uri":"https://x/""#, #""device_code":"D","user_code":"\u0000 ","verification_uri":"https://x/""#,
    #""device_code":"D","user_code":7,"verification_uri":"https://x/""#, #""device_code":"D","user_code":"U""#,
    #""device_code":"D","user_code":"\#(String(repeating: "W", count: 65))","verification_uri":"https://x/""#,
    #""device_code":"D","user_code":"U","verification_uri":"http://id.example/d""#,
    #""device_code":"D","user_code":"U","verification_uri":"javascript:alert(1)""#,
    #""device_code":"D","user_code":"U","verification_uri":"https://x/\u0007""#,
    #""device_code":"D","user_code":"U","verification_uri":"https://x/ y""#,
    #""device_code":"D","user_code":"U","verification_uri":"https://id.example@evil.example/""#,
    #""device_code":"D","user_code":"U","verification_uri":"/device""#,
    #""device_code":"D","user_code":"U","verification_uri":"https://x/","verification_uri_complete":"http://id.example/d""#,
  ])
  func untrustedResponses(members: String) { #expect(failure { try Self.response(members) }?.kind == .responseUntrusted) }

  @Test func loopbackPagesAreFine() throws {
    let response = try Self.response(#""device_code":"D","user_code":"U","verification_uri":"http://127.0.0.1:8080/d""#)
    #expect(response.url == "http://127.0.0.1:8080/d")
  }

  @Test(arguments: [
    (400, #"{"error":"unauthorized_client"}"#, "unauthorized_client"),
    (200, #"{"error":"device_flow_disabled"}"#, "device_flow_disabled"),
  ])
  func anErrorIsTheServers(status: Int, body: String, error: String) {
    let found = failure { try DeviceAuthorizationResponse(.json(body, status: status)) }
    #expect(found?.kind == .authorizationServerError && found?["error"]?.string == error)
  }

  private func failure(_ work: () throws -> some Any) -> OAuthFailure? {
    do {
      _ = try work()
      return nil
    } catch {
      return error as? OAuthFailure
    }
  }
}
