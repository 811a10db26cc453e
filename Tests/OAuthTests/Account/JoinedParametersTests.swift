import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// Which open page a request may join, judged by its parameters, and how long it waits for a page that is being prepared.
struct JoinedParametersTests {
  private let server = PreparedResponses()

  private static func request(_ parameters: [(String, String)]) -> AuthorizationInput {
    var request = Stage.request()
    request.parameters = .init(parameters.map { (name: $0.0, value: $0.1) })
    return request
  }

  /// A page with other parameters may be for another user. The order of parameters makes no difference.
  @Test(
    arguments: [
      ([("login_hint", "a")], [("login_hint", "a")], true),
      ([("login_hint", "a"), ("hd", "x")], [("hd", "x"), ("login_hint", "a")], true),
      ([("login_hint", "a"), ("hd", "x")], [("login_hint", "a")], false), ([("login_hint", "a")], [], false),
      ([("login_hint", "a")], [("login_hint", "b")], false), ([], [("prompt", "consent")], false),
      ([("hd", "x")], [("hd", "x"), ("acr_values", "2")], false),
    ] as [([(String, String)], [(String, String)], Bool)])
  func thePageHasTheSameParameters(open: [(String, String)], wanted: [(String, String)], joins: Bool) async throws {
    let stage = Stage(server)
    let (prompt, _) = try await stage.begin(Self.request(open))
    if joins {
      #expect(try await stage.begin(Self.request(wanted)).prompt == prompt)
    } else {
      let failure = await failureOf { try await stage.accounts.authorize(Self.request(wanted)) }
      #expect(failure?.kind == .signInInProgress && failure?["signIn"] == .string(prompt.id))
    }
  }

  /// The process adds the hint that names the account's own user. Only a page with this hint is joined.
  @Test(arguments: [([], false), ([("login_hint", "me")], true), ([("login_hint", "you")], false)] as [([(String, String)], Bool)])
  func moreScopesJoinThePageOfTheSameUser(open: [(String, String)], joins: Bool) async throws {
    let stage = Stage(server)
    try await stage.keep { $0.subject = "me" }
    var request = Self.request(open)
    request.scopes = ["read", "write"]
    let (prompt, _) = try await stage.begin(request)
    var more = Stage.request(scopes: ["write"])
    more.provider = nil
    if joins {
      #expect(try await stage.accounts.addScopes(more).signIn?.id == prompt.id)
    } else {
      let failure = await failureOf { [more] in try await stage.accounts.addScopes(more) }
      #expect(failure?.kind == .signInInProgress && failure?["signIn"] == .string(prompt.id))
    }
  }

  /// Before a page exists, the process asks the OAuth 1.0a provider or the device endpoint.
  @Test(arguments: [false, true])
  func aSilentProviderEndsAtTheTimeout(usesDevice: Bool) async throws {
    let asked = EventCount()
    let stage = Stage(
      Server { _ throws(HTTPFailure) in
        asked.add()
        _ = try? await Promise<Void>().value()
        throw .cancelled
      })
    let device: [JSON.Member] = [.init("deviceAuthorizationEndpoint", "https://id.example/device")]
    var request = Stage.request(with: usesDevice ? device : OAuth1FlowTests.provider)
    request.flow = usesDevice ? .device : .browser
    request.timeout = 1
    let first = Task { [request] in try await stage.accounts.authorize(request) }
    #expect(await soon { asked.value == 1 })
    // A second caller arrives meanwhile.
    let second = Task { [request] in try await stage.accounts.authorize(request) }
    try await stage.clock.pauses(atLeast: 2)
    let moving = Task { [clock = stage.clock] in
      while !Task.isCancelled {
        try await clock.pauses(atLeast: 1)
        clock.advance(1)
      }
    }
    defer { moving.cancel() }
    let failure = await failureOf { try await second.value }
    #expect(failure?.kind == .timedOut && failure?.isRetryable == true)
    #expect(await failureOf { try await first.value }?.kind == .timedOut)
    #expect(stage.accounts.openSignIn("a") == nil)
  }
}
