import Jansson
import Synchronization
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// Which callers may join an open sign-in, and what each of them receives.
struct JoiningTests {
  private let server = PreparedResponses()
  private let stage: Stage

  init() { stage = Stage(server) }

  private func waiting(_ change: (inout AuthorizationInput) -> Void = { _ in }) -> Task<Authorization, any Error> {
    var request = Stage.request()
    request.waits = true
    request.requestID = 2
    change(&request)
    return Task { [stage, request] in try await stage.accounts.authorize(request) }
  }

  private func finish(_ prompt: SignInPrompt, _ tokens: String = #"{"access_token":"A"}"#) async throws {
    server.add(body: tokens)
    #expect(try await stage.accounts.handleRedirect("code=c&state=\(Stage.parameter("state", of: prompt.url) ?? "")"))
  }

  /// A client asks how a sign-in ended at the moment at which it ends.
  @Test func aSignInThatEndsIsFoundAtAnyMoment() async throws {
    let found = Mutex<(id: String, accounts: Accounts?, isThere: Bool?)>(("", nil, nil))
    let stage = Stage(
      server,
      onLog: { message in
        found.withLock { found in
          guard message.text == "the sign-in \(found.id) of a is closed" else { return }
          found.isThere = found.accounts?.signIns.find(id: found.id) != nil
        }
      })
    let (prompt, state) = try await stage.begin(Stage.request())
    found.withLock { ($0.id, $0.accounts) = (prompt.id, stage.accounts) }
    server.add(body: #"{"access_token":"A"}"#)
    #expect(try await stage.accounts.handleRedirect("code=c&state=\(state)"))
    #expect(try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 60)?.via == .signedIn)
    #expect(found.withLock { $0.isThere } == true)
  }

  enum Otherness: CaseIterable {
    case provider, client, secret, redirect, parameters, scopes

    var isOfOtherClient: Bool { [.provider, .client, .secret].contains(self) }
  }

  private func change(_ request: inout AuthorizationInput, _ otherness: Otherness) {
    switch otherness {
    case .provider: request.provider = Stage.request(with: [.init("tokenEndpoint", "https://other.example/token")]).provider
    case .client: request.clientId = "other"
    case .secret: request.credentials.secret = Secret("other-secret")
    case .redirect: request.redirectUri = "other.example:/callback"
    case .parameters: request.parameters = .init([("login_hint", "b@example.org")])
    case .scopes: request.scopes = ["read", "write"]
    }
  }

  /// Another process signs in while this one prepares its page.
  @Test func noPageIsOpenedIfTheAccountIsSignedInMeanwhile() async throws {
    let (store, pages, clock) = (MemoryStore(), EventCount(), ManualClock())
    let stage = Stage(server, store: store, onPage: { _ in pages.add() }, clock: clock)
    let described: [JSON.Member] = [
      .init("pushedAuthorizationRequestEndpoint", "https://id.example/par"), .init("pushedAuthorizationRequests", "on"),
    ]
    var grant = Grant(
      account: "a", provider: .object(ProviderCatalog.merge(described, over: Stage.provider)),
      client: Client(id: "client", secret: Secret("client-secret")), accessToken: Secret("theirs"), tokenType: "Bearer", issuedAt: clock.now
    )
    grant.grantedScopes = ["read"]
    server.add { [grant] _ in
      try? store.write(grant)
      return .success(HTTPResponse(status: 201, headers: [], body: Array(#"{"request_uri":"urn:1","expires_in":60}"#.utf8)))
    }
    var request = Stage.request(with: described)
    (request.opensBrowser, request.waits) = (true, true)
    #expect(try await stage.accounts.authorize(request).via == .stored)
    #expect(pages.value == 0)
  }

  /// The page of the device flow is another one than that of the browser.
  @Test func anotherFlowFailsAtOnce() async throws {
    var request = Stage.request(with: [.init("deviceAuthorizationEndpoint", "https://id.example/device")])
    request.redirectUri = nil
    request.flow = .browser
    let (prompt, _) = try await stage.begin(request)
    request.flow = .device
    let failure = await failureOf { [request] in try await stage.accounts.authorize(request) }
    #expect(failure?.kind == .signInInProgress && failure?["signIn"] == .string(prompt.id))
    #expect(server.requests.isEmpty)
  }

  /// The message names what ends the open sign-in: signOut always does, and interaction `always` does for the same client.
  @Test(arguments: Otherness.allCases)
  func whatTheMessageNamesEndsTheOpenSignIn(otherness: Otherness) async throws {
    let (first, _) = try await stage.begin()
    var request = Stage.request()
    change(&request, otherness)
    let failure = await failureOf { [request] in try await stage.accounts.authorize(request) }
    #expect(failure?.message.contains("wait for it with awaitSignIn, or end it with signOut") == true)
    #expect(failure?.message.contains(#"interaction "always""#) == !otherness.isOfOtherClient)
    let always = try? await stage.accounts.authorize(request.always()).signIn
    #expect((always != nil) == !otherness.isOfOtherClient && always?.id != first.id)
    _ = try await stage.accounts.signOut("a")
    let next = try await stage.begin(request).prompt
    #expect(next.id != first.id && next.id != always?.id)
  }

  @Test func eachJoinerHasItsOwnTimeout() async throws {
    let (prompt, _) = try await stage.begin()
    let hasty = waiting { $0.timeout = 1 }
    #expect(await soon { stage.awaiting == 1 })
    // The other pause is the deadline of the sign-in.
    try await stage.clock.pauses(atLeast: 2)
    stage.clock.advance(1)
    let failure = await failureOf { try await hasty.value }
    #expect(failure?.kind == .timedOut && failure?.account == "a")
    #expect(await isReported { try await hasty.value } == false)
    #expect(stage.accounts.openSignIn("a")?.id == prompt.id)
    #expect(stage.told == ["requested", "requested"])
    let patient = waiting { $0.timeout = 1000 }
    #expect(await soon { stage.accounts.openSignIn("a")?.expiresAt == 1_001_001 })
    try await finish(prompt)
    #expect(try await patient.value.via == .signedIn)
  }

  /// The first caller's timeout ends its own wait, not the sign-in.
  @Test func aJoinerWithMoreTimeKeepsTheSignInOpen() async throws {
    let hasty = waiting { $0.timeout = 1 }
    #expect(await soon { stage.told.count == 1 })
    let itsDeadline = try #require(await stage.signIn?.wait?.deadline)
    let patient = waiting()
    #expect(await soon { stage.awaiting == 2 })
    try await stage.clock.pauses(atLeast: 3)
    stage.clock.advance(1)
    #expect(await failureOf { try await hasty.value }?.kind == .timedOut)
    await itsDeadline.value
    #expect(stage.awaiting == 1)
    try await finish(try #require(stage.accounts.openSignIn("a")))
    #expect(try await patient.value.via == .signedIn)
  }

  /// The user may have closed the tab. A repeated request opens the page again and reports its own request id.
  @Test func everyJoinerIsShownThePage() async throws {
    let pages = EventLogOf<String>()
    let stage = Stage(server, onPage: { pages.add($0) })
    var request = Stage.request()
    request.opensBrowser = true
    request.requestID = 1
    let first = try await stage.begin(request)
    request.requestID = 2
    // Two requests in quick succession, as from an editor that starts, need only one tab.
    stage.clock.advance(SignIn.secondsBetweenTabs - 1)
    _ = try await stage.begin(request)
    #expect(pages.all == [first.prompt.url])
    request.requestID = 3
    stage.clock.advance(1)
    _ = try await stage.begin(request)
    request.requestID = 4
    stage.clock.advance(60)
    request.opensBrowser = false
    _ = try await stage.begin(request)
    #expect(pages.all == [first.prompt.url, first.prompt.url])
    #expect(stage.facts.map(\.requestID) == [1, 2, 3, 4])
    #expect(stage.told == ["requested", "requested", "requested", "requested"])
  }
}

/// Values in the order they were added.
final class EventLogOf<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  var all: [Value] { values.withLock { $0 } }
  func add(_ value: Value) { values.withLock { $0.append(value) } }
}
