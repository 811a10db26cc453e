import Jansson
import Synchronization
import TestSupport
import Testing

@testable import Loopback
@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// Sign-ins whose redirect arrives at the loopback port that the process listens on.
struct LoopbackSignInTests {
  private func request(_ uri: String? = nil) -> AuthorizationInput {
    var request = Stage.request()
    request.redirectUri = uri
    return request
  }

  private func port(_ prompt: SignInPrompt) throws -> UInt16 {
    let uri = try URLParts(try #require(Stage.parameter("redirect_uri", of: prompt.url)))
    return UInt16(try #require(uri.explicitPort))
  }

  @Test func aBrowserBringsTheCode() async throws {
    let server = PreparedResponses()
    server.add(body: #"{"access_token":"A"}"#)
    let stage = Stage(server)
    let (prompt, state) = try await stage.begin(request())
    let browser = LoopbackBrowser(port: try port(prompt))
    #expect(await browser.get("/callback?code=c&state=wrong")?.status == 404)
    #expect(await browser.get("/favicon.ico")?.status == 404)
    #expect(server.requests.isEmpty)
    let page = try #require(await browser.get("/callback?code=c&state=\(state)"))
    #expect(page.status == 200)
    #expect(try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)?.via == .signedIn)
    #expect(server.requests.first?.field("redirect_uri") == Stage.parameter("redirect_uri", of: prompt.url))
    #expect(stage.told == ["requested", "authorized signedIn"])
  }

  @Test func theUserWhoSaysNoSeesSo() async throws {
    let stage = Stage(PreparedResponses())
    let (prompt, state) = try await stage.begin(request())
    let page = await LoopbackBrowser(port: try port(prompt)).get("/callback?error=access_denied&state=\(state)")
    #expect(page != nil)
    #expect(await failureOf { try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5) }?.kind == .accessDenied)
  }

  /// A sign-in that starts right after the event can use the same port.
  @Test func thePortIsFreeBeforeTheEndIsReported() async throws {
    let server = PreparedResponses()
    server.add(body: #"{"access_token":"A"}"#)
    let bound = Mutex<[Bool]>([])
    let pinned = Mutex<UInt16>(0)
    let stage = Stage(server) { event in
      switch event.kind {
      case .signInAbandoned:
        let listener = try? LoopbackListener.open(LoopbackAddress(ports: [pinned.withLock { $0 }])) { _ in .notOurs }
        listener?.close()
        bound.withLock { $0.append(listener != nil) }
      default: break
      }
    }
    let port = LoopbackBrowser.rebindablePort
    let (prompt, state) = try await stage.begin(request("http://127.0.0.1:\(port)/callback"))
    pinned.withLock { $0 = port }
    _ = await LoopbackBrowser(port: port).get("/callback?code=c&state=\(state)")
    _ = try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)

    let again = try await stage.begin(request("http://127.0.0.1:\(port)/callback").always())
    #expect(Stage.parameter("redirect_uri", of: again.prompt.url) == "http://127.0.0.1:\(port)/callback")
    await stage.accounts.abandonAllSignIns()
    #expect(bound.withLock { $0 } == [true])
    #expect(stage.told == ["requested", "authorized signedIn", "requested", "abandoned ended"])
  }

  @Test func aPinnedPortThatIsInUseIsReported() async throws {
    let taken = try LoopbackListener.open(LoopbackAddress()) { _ in .notOurs }
    let stage = Stage(PreparedResponses())
    let failure = await failureOf { try await stage.begin(request("http://127.0.0.1:\(taken.port)/cb")) }
    #expect(failure?.kind == .portInUse)
    #expect(failure?["port"] == .integer(Int(taken.port)))
    #expect(stage.told == [])
    taken.close()
    _ = try await stage.begin(request("http://127.0.0.1:\(taken.port)/cb"))
    await stage.accounts.abandonAllSignIns()
  }

  @Test(arguments: [
    "http://evil.example/cb", "http://0.0.0.0/", "http://127.0.0.2/", "http://localhost.evil.example/", "http://127.0.0.1/?x=1",
    "http://u@127.0.0.1/", "app:/x#y", "nonsense", "http://127.0.0.1@evil.example/",
  ])
  func aRedirectUriThatLeaksIsRejected(uri: String) async {
    let stage = Stage(PreparedResponses())
    let failure = await failureOf { try await stage.begin(request(uri)) }
    #expect(failure?.kind == .configurationInvalid)
    #expect(failure?["path"] == "/redirectUri")
  }

  @Test func theFirstGoodAnswerWinsWhicheverWayItCame() async throws {
    let server = PreparedResponses()
    server.add(body: #"{"access_token":"A"}"#)
    let stage = Stage(server)
    let (prompt, state) = try await stage.begin(request())
    #expect(try await stage.accounts.handleRedirect("http://127.0.0.1/callback?code=pasted&state=\(state)"))
    #expect(try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5) != nil)
    #expect(await LoopbackBrowser(port: try port(prompt)).get("/callback?code=c&state=\(state)")?.status == 200)
    #expect(server.requests.map { $0.field("code") } == ["pasted"])
  }
}

extension AuthorizationInput {
  func always() -> AuthorizationInput {
    var request = self
    request.interaction = .always
    return request
  }
}
