import Jansson
import Synchronization
import Testing

@testable import OAuth

/// Who may finish somebody else's sign-in, and what they are told.
struct JoiningTests {
  private let server = PreparedAnswers()
  private let stage: Stage

  init() { stage = Stage(server) }

  private func waiting(_ change: (inout AuthorizeRequest) -> Void = { _ in }) -> Task<Authorization, any Error> {
    var request = Stage.request()
    request.waits = true
    request.cause = 2
    change(&request)
    return Task { [stage, request] in try await stage.accounts.authorize(request) }
  }

  private func finish(_ prompt: SignInPrompt, _ tokens: String = #"{"access_token":"A"}"#) async throws {
    server.add(body: tokens)
    #expect(try await stage.accounts.handleRedirect("code=c&state=\(Stage.parameter("state", of: prompt.url) ?? "")"))
  }

  enum Otherness: CaseIterable { case provider, client, secret, redirect, parameters }

  private func change(_ request: inout AuthorizeRequest, _ otherness: Otherness) {
    switch otherness {
    case .provider: request.provider = Stage.request(with: [.init("tokenEndpoint", "https://other.example/token")]).provider
    case .client: request.clientId = "other"
    case .secret: request.clientSecret = Secret("other-secret")
    case .redirect: request.redirectUri = "other.example:/callback"
    case .parameters: request.parameters = .init([("login_hint", "b@example.org")])
    }
  }

  /// It waits for the open one to end, however that ends, and then is looked at anew.
  @Test(arguments: Otherness.allCases, [true, false])
  func anotherSignInWaitsItsTurn(otherness: Otherness, isDenied: Bool) async throws {
    let first = try await stage.begin()
    let other = waiting { change(&$0, otherness) }
    try await Task.sleep(for: .milliseconds(50))
    #expect(stage.told == ["requested"])
    if isDenied {
      #expect(try await stage.accounts.handleRedirect("error=access_denied&state=\(first.state)"))
    } else {
      try await finish(first.prompt)
    }
    if isDenied || otherness == .provider || otherness == .client {
      #expect(await soon { stage.accounts.openSignIn("a") != nil })
      try await finish(try #require(stage.accounts.openSignIn("a")), #"{"access_token":"B"}"#)
      #expect(try await other.value.via == .signedIn)
      #expect(try stage.store.read("a")?.accessToken == Secret("B"))
    } else {
      #expect(try await other.value.via == .stored)
    }
  }

  /// Who wants an answer at once cannot wait for somebody else's sign-in.
  @Test(arguments: Otherness.allCases)
  func whoDoesNotWaitIsToldOfTheOther(otherness: Otherness) async throws {
    let (prompt, _) = try await stage.begin()
    var request = Stage.request()
    change(&request, otherness)
    let failure = await failureOf { try await stage.accounts.authorize(request) }
    #expect(failure?.kind == .signInRequired && failure?.isRetryable == true)
    #expect(failure?["signIn"] == .string(prompt.id) && failure?["reason"] == "noGrant")
    #expect(stage.told == ["requested"])
  }

  /// Each is told what is missing of the scopes that he asked for himself.
  @Test func missingScopesAreOnesOwn() async throws {
    let (prompt, _) = try await stage.begin(Stage.request(scopes: ["read", "write", "send"]))
    let reader = waiting { $0.scopes = ["read"] }
    let writer = waiting { $0.scopes = ["write"] }
    #expect(await soon { stage.told.count == 3 })
    try await finish(prompt, #"{"access_token":"A","scope":"read"}"#)
    #expect(try await reader.value.missingScopes == [])
    #expect(try await writer.value.missingScopes == ["write"])
    #expect(stage.told == ["requested", "requested", "requested", "authorized signedIn"])
  }

  @Test func whatTheJoinedPageDidNotAskForIsAskedForNext() async throws {
    let (prompt, _) = try await stage.begin()
    let more = waiting { $0.scopes = ["write"] }
    #expect(await soon { stage.told.count == 2 })
    try await finish(prompt)
    #expect(await soon { stage.accounts.openSignIn("a").map { $0.id != prompt.id } ?? false })
    let next = try #require(stage.accounts.openSignIn("a"))
    #expect(Stage.parameter("scope", of: next.url) == "write read")
    try await finish(next)
    #expect(try await more.value.missingScopes == [])
  }

  @Test func theJoinersTimeIsHisOwn() async throws {
    let (prompt, _) = try await stage.begin()
    let hasty = waiting { $0.timeout = 1 }
    let failure = await failureOf { try await hasty.value }
    #expect(failure?.kind == .timedOut && failure?.account == "a" && failure?.wasTold == false)
    #expect(stage.accounts.openSignIn("a")?.id == prompt.id)
    #expect(stage.told == ["requested", "requested"])
    let patient = waiting { $0.timeout = 1000 }
    #expect(await soon { stage.accounts.openSignIn("a")?.expiresAt == 1_001_000 })
    try await finish(prompt)
    #expect(try await patient.value.via == .signedIn)
  }

  /// The first one's time is over when it said so, but not the sign-in's.
  @Test func whoJoinsWithMoreTimeKeepsTheSignInOpen() async throws {
    let hasty = waiting { $0.timeout = 1 }
    #expect(await soon { stage.told.count == 1 })
    let patient = waiting()
    #expect(await failureOf { try await hasty.value }?.kind == .timedOut)
    try await Task.sleep(for: .milliseconds(100))
    try await finish(try #require(stage.accounts.openSignIn("a")))
    #expect(try await patient.value.via == .signedIn)
  }

  @Test func waitingForAnothersSignInHasItsTime() async throws {
    _ = try await stage.begin()
    let other = waiting {
      $0.clientId = "other"
      $0.timeout = 1
    }
    #expect(await failureOf { try await other.value }?.kind == .timedOut)
    #expect(stage.told == ["requested"])
  }

  /// The tab may be closed: whoever asks again gets the page again, under his own request's id.
  @Test func everyJoinerIsShownThePage() async throws {
    let pages = EventLogOf<String>()
    let stage = Stage(server, onPage: { pages.add($0) })
    var request = Stage.request()
    request.opensBrowser = true
    request.cause = 1
    let first = try await stage.begin(request)
    request.cause = 2
    // At once, as from an editor that starts: one tab is enough.
    stage.clock.advance(SignIn.tabsApart - 1)
    _ = try await stage.begin(request)
    #expect(pages.all == [first.prompt.url])
    request.cause = 3
    stage.clock.advance(1)
    _ = try await stage.begin(request)
    request.cause = 4
    stage.clock.advance(60)
    request.opensBrowser = false
    _ = try await stage.begin(request)
    #expect(pages.all == [first.prompt.url, first.prompt.url])
    #expect(stage.facts.map(\.cause) == [1, 2, 3, 4])
    #expect(stage.told == ["requested", "requested", "requested", "requested"])
  }

  /// A page is wanted whatever there is, so the one that is open makes way.
  @Test func alwaysTakesThePlaceOfAnOpenSignIn() async throws {
    let old = waiting()
    #expect(await soon { stage.told == ["requested"] })
    let oldPrompt = try #require(stage.accounts.openSignIn("a"))
    let (prompt, state) = try await stage.begin(Stage.request().always())
    #expect(prompt.id != oldPrompt.id && prompt.url != oldPrompt.url)
    let failure = await failureOf { try await old.value }
    #expect(failure?.kind == .signInRequired && failure?.wasTold == true)
    #expect(try await stage.accounts.handleRedirect("code=c&state=\(Stage.parameter("state", of: oldPrompt.url) ?? "")") == false)
    #expect(stage.told == ["requested", "abandoned cancelled", "requested"])
    server.add(body: #"{"access_token":"A"}"#)
    #expect(try await stage.accounts.handleRedirect("code=c&state=\(state)"))
  }

  @Test func anotherClientsAlwaysWaits() async throws {
    let first = try await stage.begin()
    let other = waiting {
      $0.interaction = .always
      $0.clientId = "other"
    }
    try await Task.sleep(for: .milliseconds(50))
    #expect(stage.told == ["requested"])
    try await finish(first.prompt)
    #expect(await soon { stage.accounts.openSignIn("a") != nil })
    try await finish(try #require(stage.accounts.openSignIn("a")))
    #expect(try await other.value.via == .signedIn)
  }
}

/// Values in the order that they came.
final class EventLogOf<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  var all: [Value] { values.withLock { $0 } }
  func add(_ value: Value) { values.withLock { $0.append(value) } }
}
