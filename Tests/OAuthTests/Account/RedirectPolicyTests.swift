import Jansson
import Testing

@testable import OAuthCore
@testable import Plans
@testable import Platform

/// The redirect URI is checked against the provider's policy before the authorization page is opened.
struct RedirectPolicyTests {
  private func failure(_ members: String, _ uri: String?) throws -> OAuthFailure? {
    do {
      _ = try AuthorizationInput.RedirectChoice.address(uri, try .described(members))
      return nil
    } catch let failure as OAuthFailure {
      return failure
    }
  }

  @Test(
    arguments: [
      ("anyPort", nil, true), ("anyPort", "http://127.0.0.1/cb", true), ("pinnedPort", nil, false),
      ("pinnedPort", "http://127.0.0.1/cb", false),
      ("pinnedPort", "http://127.0.0.1:0/cb", false), ("pinnedPort", "http://127.0.0.1:8080/cb", true), ("pinnedPort", "app:/cb", true),
      ("https", nil, false), ("https", "http://127.0.0.1:8080/cb", false), ("https", "https://app.example/cb", true),
    ] as [(String, String?, Bool)])
  func policies(policy: String, uri: String?, isRight: Bool) throws {
    let found = try failure(#"{"redirectPolicy":"\#(policy)"}"#, uri)
    #expect((found == nil) == isRight)
    if let found {
      #expect(found.kind == .configurationInvalid && found["path"] == "/redirectUri")
      #expect(found.message.contains("register"))
    }
  }

  @Test(
    arguments: [
      ("localhost:8080/cb", "http://localhost:8080/cb"), ("127.0.0.1:80/cb", "http://127.0.0.1:80/cb"), ("[::1]:80", "http://[::1]:80"),
      ("LOCALHOST:8080", "http://LOCALHOST:8080"), ("app.example:8443/cb?x", "https://app.example:8443/cb?x"),
      ("app.example:/cb", nil), ("app:cb", nil), ("com.example.app:/8080", nil), ("app:8080x/cb", nil),
    ] as [(String, String?)])
  func aForgottenSchemeIsAskedFor(uri: String, meant: String?) throws {
    let found = try failure("{}", uri)
    #expect(found?.message == meant.map { "the redirect URI has no scheme: did you mean \($0)?" })
    #expect(meant == nil || found?["path"] == "/redirectUri")
  }

  @Test func portsOfTheDescriptionArePinned() throws {
    #expect(try failure(#"{"redirectPolicy":"pinnedPort","redirectPorts":[8080]}"#, nil) == nil)
    let message = try failure(#"{"redirectPolicy":"pinnedPort","redirectHost":"localhost","redirectPath":"/back"}"#, nil)?.message
    #expect(message?.contains("http://localhost:PORT/back") == true)
  }

  /// Dropbox and others compare the port: their page would reject a random one.
  @Test(arguments: ["dropbox", "discord", "atlassian", "linkedin", "notion"])
  func presetsThatCompareThePortPinIt(preset: String) throws {
    let provider = try ProviderCatalog.builtIn.resolve(.preset(preset))
    let failure = #expect(throws: OAuthFailure.self) { try AuthorizationInput.RedirectChoice.address(nil, provider) }
    #expect(failure?["path"] == "/redirectUri")
  }

  @Test(
    arguments: [
      ("{}", "http://127.0.0.1:PORT/callback"), (#"{"redirectPolicy":"https"}"#, nil),
      (#"{"redirectHost":"localhost","redirectPath":"/cb","redirectPorts":[8080,8081]}"#, "http://localhost:8080/cb"),
    ] as [(String, String?)])
  func whatToRegister(members: String, uri: String?) throws {
    #expect(try Provider.described(members).redirect.loopbackUri == uri)
  }

  @Test(arguments: [
    "http://evil.example/cb", "http://0.0.0.0/", "http://127.0.0.2/", "http://localhost.evil.example/", "http://127.0.0.1/?x=1",
    "http://u@127.0.0.1/", "app:/x#y", "nonsense", "http://127.0.0.1@evil.example/",
  ])
  func aRedirectUriThatLeaksIsRejected(uri: String) async {
    var request = Stage.request()
    request.redirectUri = uri
    let failure = await failureOf { [request] in try await Stage(PreparedResponses()).begin(request) }
    #expect(failure?.kind == .configurationInvalid)
    #expect(failure?["path"] == "/redirectUri")
  }
}
