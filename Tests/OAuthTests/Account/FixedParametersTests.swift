import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// Extra parameters that the process sets itself.
struct FixedParametersTests {
  private let server = PreparedResponses()
  private let stage: Stage

  init() { stage = Stage(server) }

  private static let itself = "cannot be set: the process sets this parameter itself"

  @Test(
    arguments: [
      (.browser, [], "state", itself), (.browser, [], "response_type", itself), (.browser, [], "code_challenge", itself),
      (.browser, [], "redirect_uri", "cannot be set: use redirectUri instead"),
      (.browser, [], "client_id", "cannot be set: use clientId instead"),
      (.browser, [], "scope", "cannot be set: use scopes instead"),
      (.browser, [.init("parameterNames", ["client_id": "client_key"])], "client_key", "cannot be set: use clientId instead"),
      (.browser, [.init("stateParameter", "s")], "s", itself), (.device, [], "scope", "cannot be set: use scopes instead"),
      (.clientCredentials, [], "scope", "cannot be set: use scopes instead"),
      (.clientCredentials, [], "grant_type", "cannot be set: use clientGrantType in the provider's description instead"),
      (.clientCredentials, [], "client_secret", "cannot be set: use clientSecret instead"),
    ] as [(AuthorizationInput.Flow, [JSON.Member], String, String)])
  func theyAreRejected(flow: AuthorizationInput.Flow, members: [JSON.Member], name: String, problem: String) async throws {
    let input = input(flow, members, name)
    await #expect(throws: FieldError("/parameters/\(name)", problem)) { try await stage.accounts.dryRun(input) }
    await #expect(throws: FieldError("/parameters/\(name)", problem)) { try await stage.accounts.authorize(input) }
    #expect(server.requests.isEmpty && stage.told.isEmpty)
  }

  /// A description without a scope parameter leaves it to the caller. An own nonce is for a server that validates the ID token.
  @Test(
    arguments: [
      (.browser, [], "prompt"), (.browser, [], "access_type"), (.browser, [], "resource"), (.browser, [], "nonce"),
      (.browser, [.init("scopeParameter", "none")], "scope"), (.browser, [.init("pkce", "off")], "code_challenge"),
      (.browser, [.init("stateParameter", "s")], "state"), (.browser, [.init("authorizationParameters", ["prompt": "x"])], "prompt"),
      (.device, [], "audience"), (.clientCredentials, [], "audience"), (.clientCredentials, [], "resource"),
      (.clientCredentials, [], "state"),
    ] as [(AuthorizationInput.Flow, [JSON.Member], String)])
  func othersAreSent(flow: AuthorizationInput.Flow, members: [JSON.Member], name: String) async throws {
    let dryRun = try await stage.accounts.dryRun(input(flow, members, name)).dryRun
    #expect("\(dryRun)".contains("own-value"))
  }

  /// An earlier version stored these parameters with a grant and did not send them.
  @Test func storedOnesAreNotSent() async throws {
    try await stage.keep(expiresIn: 0, refreshToken: nil) { $0.clientParameters = .init([("grant_type", "own-value"), ("audience", "x")]) }
    server.add(body: #"{"access_token":"A"}"#)
    var input = AuthorizationInput()
    (input.account, input.interaction) = ("a", .always)
    #expect(try await stage.accounts.authorize(input).via == .signedIn)
    #expect(server.requests.map { $0.field("grant_type") } == ["client_credentials"])
    #expect(server.requests.map { $0.field("audience") } == ["x"])
  }

  /// The fault of the configuration names the file and the place in it. Parameters of the request replace the configured ones.
  @Test func configuredOnesAreRejectedInTheirFile() async throws {
    let text = #"{"parameters":{"scope":"all"}}"#
    var entry = try ConfiguredAccount.decode(JSON.parse(Array(text.utf8)))
    entry.place = ("a", JSONFile("config.json", "the configuration"))
    let configured = entry
    let stage = Stage(server, configured: { _ in configured })
    let failure = await failureOf { try await stage.accounts.authorize(Stage.request()) }
    #expect(
      failure?.message == "the configuration config.json, /accounts/a/parameters/scope, cannot be set: use scopes instead"
        && failure?.kind == .configurationInvalid && failure?["path"] == "/accounts/a/parameters/scope")
    #expect(try await stage.accounts.authorize(input(.browser, [], "prompt")).signIn != nil)
  }

  private func input(_ flow: AuthorizationInput.Flow, _ members: [JSON.Member], _ name: String) -> AuthorizationInput {
    var input = Stage.request(with: [.init("deviceAuthorizationEndpoint", "https://id.example/device")] + members)
    input.flow = flow
    if flow == .device { input.redirectUri = nil }
    input.parameters = .init([(name, "own-value")])
    return input
  }
}
