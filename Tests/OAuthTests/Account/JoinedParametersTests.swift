import Jansson
import Synchronization
import Testing

@testable import OAuth

/// Whose page is whose, by what it is asked with; and how long somebody waits for other people's pages.
struct JoinedParametersTests {
  private let server = PreparedAnswers()

  private static func request(_ parameters: [(String, String)]) -> AuthorizeRequest {
    var request = Stage.request()
    request.parameters = .init(parameters.map { (name: $0.0, value: $0.1) })
    return request
  }

  /// What somebody asks for has to be in the page that he is shown; what he does not care about may be.
  @Test(
    arguments: [
      ([("login_hint", "a")], [("login_hint", "a")], true), ([("login_hint", "a"), ("hd", "x")], [("login_hint", "a")], true),
      ([("login_hint", "a")], [], true), ([("login_hint", "a")], [("login_hint", "b")], false), ([], [("prompt", "consent")], false),
      ([("hd", "x")], [("hd", "x"), ("acr_values", "2")], false),
    ] as [([(String, String)], [(String, String)], Bool)])
  func whatIsAskedForIsInThePage(open: [(String, String)], wanted: [(String, String)], joins: Bool) async throws {
    let stage = Stage(server)
    let (prompt, _) = try await stage.begin(Self.request(open))
    if joins {
      #expect(try await stage.begin(Self.request(wanted)).prompt == prompt)
    } else {
      let failure = await failureOf { try await stage.accounts.authorize(Self.request(wanted)) }
      #expect(failure?.kind == .signInRequired && failure?["signIn"] == .string(prompt.id))
    }
  }

  /// The hint that more scopes are asked with names the account's own user: a page without one does, another user's does not.
  @Test(arguments: [([], true), ([("login_hint", "me")], true), ([("login_hint", "you")], false)] as [([(String, String)], Bool)])
  func moreScopesJoinThePageOfTheSameUser(open: [(String, String)], joins: Bool) async throws {
    let stage = Stage(server)
    try await stage.keep { $0.subject = "me" }
    var request = Self.request(open)
    request.scopes = ["read", "write"]
    let (prompt, _) = try await stage.begin(request)
    var more = Stage.request(scopes: ["write"])
    more.provider = nil
    #expect((try? await stage.accounts.addScopes(more))?.signIn?.id == (joins ? prompt.id : nil))
  }

  /// Sign-ins that are in the way one after another take up one's time, not each anew.
  @Test func manySignInsInTheWayHaveOneTimeTogether() async throws {
    let store = BusyStore()
    let stage = Stage(server, store: store)
    let rounds = EventCount()
    store.onReady { [weak stage] in
      // Without an end to it, a waiter who never gives up would have the test hang.
      guard let stage, rounds.add() <= 12 else { return }
      var other = Stage.request()
      other.clientId = "other \(rounds.value)"
      guard let (_, state) = try? await stage.begin(other) else { return }
      Task {
        try await Task.sleep(for: .milliseconds(400))
        _ = try await stage.accounts.handleRedirect("error=access_denied&state=\(state)")
      }
    }
    var request = Stage.request()
    request.waits = true
    request.timeout = 1
    let began = ContinuousClock.now
    let failure = await failureOf { [request] in try await stage.accounts.authorize(request) }
    #expect(failure?.kind == .timedOut && failure?.account == "a" && failure?.message.contains(" 1 s") == true)
    #expect(ContinuousClock.now - began < .milliseconds(2500))
    await stage.accounts.abandonAllSignIns()
  }

  /// Before there is a page, OAuth 1.0a's provider and a device endpoint are asked.
  @Test(arguments: [false, true])
  func aProviderThatSaysNothingTakesNoMoreThanOnesTime(usesDevice: Bool) async throws {
    let asked = EventCount()
    let stage = Stage(
      Server { _ throws(HTTPFailure) in
        asked.add()
        do { try await Task.sleep(for: .seconds(20)) } catch { throw .cancelled }
        throw .cancelled
      })
    let device: [JSON.Member] = [.init("deviceAuthorizationEndpoint", "https://id.example/device")]
    var request = Stage.request(with: usesDevice ? device : OAuth1SignInTests.provider)
    request.flow = usesDevice ? .device : .browser
    request.timeout = 1
    let began = ContinuousClock.now
    let first = Task { [request] in try await stage.accounts.authorize(request) }
    #expect(await soon { asked.value == 1 })
    // And who comes while it is asked.
    let second = await failureOf { [request] in try await stage.accounts.authorize(request) }
    #expect(second?.kind == .timedOut && second?.isRetryable == true)
    #expect(await failureOf { try await first.value }?.kind == .timedOut)
    #expect(ContinuousClock.now - began < .milliseconds(3500) && stage.accounts.openSignIn("a") == nil)
  }

  /// What is left of it is the time of the page that comes after another one.
  @Test func thePageAfterAnotherHasWhatIsLeft() async throws {
    let stage = Stage(server)
    let (_, state) = try await stage.begin(Self.request([("hd", "x")]))
    var request = Self.request([("hd", "y")])
    request.waits = true
    request.timeout = 2
    let waiting = Task { [request] in try await stage.accounts.authorize(request) }
    let began = ContinuousClock.now
    try await Task.sleep(for: .milliseconds(1100))
    #expect(try await stage.accounts.handleRedirect("error=access_denied&state=\(state)"))
    #expect(await soon { stage.accounts.openSignIn("a")?.expiresAt == stage.clock.now + 1 })
    #expect(await failureOf { try await waiting.value }?.kind == .timedOut)
    #expect(ContinuousClock.now - began < .milliseconds(2800))
  }
}

/// A store that does something else whenever somebody is about to be asked to sign in, but for what that asks itself.
private final class BusyStore: GrantStore {
  private let memory = MemoryStore()
  private let work = Mutex<(@Sendable () async -> Void)?>(nil)

  func onReady(_ work: @escaping @Sendable () async -> Void) { self.work.withLock { $0 = work } }

  func makeReady() async {
    let work = work.withLock { work in
      defer { work = nil }
      return work
    }
    guard let work else { return }
    await work()
    onReady(work)
  }

  func read(_ account: String) -> Grant? { memory.read(account) }
  func write(_ grant: Grant) { memory.write(grant) }
  func remove(_ account: String) { memory.remove(account) }
  func accounts() -> [String] { memory.accounts() }
  func lock(_ account: String) async throws -> GrantLock { try await memory.lock(account) }
}
