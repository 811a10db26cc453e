import Jansson
import Synchronization
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// What a sign-in's listener answers to foreign redirects, and after the sign-in's end.
struct ListenerAnswerTests {
  private func request(_ account: String = "a", _ uri: String? = nil, opensBrowser: Bool = false) -> AuthorizationInput {
    var request = Stage.request(account)
    (request.redirectUri, request.opensBrowser) = (uri, opensBrowser)
    return request
  }

  private func browser(_ prompt: SignInPrompt) throws -> LoopbackBrowser {
    let uri = try URLParts(try #require(Stage.parameter("redirect_uri", of: prompt.url)))
    return LoopbackBrowser(port: UInt16(try #require(uri.explicitPort)))
  }

  @Test func aListenerTakesItsOwnSignInsStateAlone() async throws {
    let server = PreparedResponses()
    server.add(body: #"{"access_token":"A"}"#)
    let stage = Stage(server)
    let (a, b) = (try await stage.begin(request("a")), try await stage.begin(request("b")))
    #expect(try await browser(b.prompt).get("/callback?code=c&state=\(a.state)")?.status == 404)
    #expect(try await browser(b.prompt).get("/callback?error=access_denied&state=\(a.state)")?.status == 404)
    #expect(server.requests.isEmpty)
    #expect(try await browser(a.prompt).get("/callback?code=c&state=\(a.state)")?.status == 200)
    #expect(try await stage.accounts.awaitSignIn(id: a.prompt.id, timeout: 5)?.via == .signedIn)
    #expect(stage.accounts.openSignIn("b") == b.prompt)
  }

  @Test func theBrowserIsGivenTheStartAddress() async throws {
    let opened = Mutex<[String]>([])
    let server = PreparedResponses()
    server.add(body: #"{"access_token":"A"}"#)
    let stage = Stage(server, onPage: { page in opened.withLock { $0.append(page) } })
    let (prompt, state) = try await stage.begin(request(opensBrowser: true))
    let start = try URLParts(try #require(opened.withLock { $0.first }))
    let browser = try browser(prompt)
    #expect(start.explicitPort.map(UInt16.init) == browser.port && start.query == nil && start.path.hasPrefix("/start/"))
    #expect(!start.description.contains(state))
    for _ in 0..<2 {
      let answer = await browser.get(start.path)
      #expect(answer?.status == 302 && answer?.field("Location") == prompt.url && answer?.field("Referrer-Policy") == "no-referrer")
    }
    #expect(await browser.get("/start/x")?.status == 404)
    #expect(await browser.post(start.path, "a=b")?.status == 405)
    #expect(await browser.get("/callback?code=c&state=\(state)")?.status == 200)
    // From then on the address shows the result of the sign-in.
    let after = await browser.get(start.path)
    #expect(after?.status == 200 && after?.field("Location") == nil && after?.body.contains("You are signed in") == true)
  }

  @Test func aPageThatIsNotOnTheWebIsNotRedirectedTo() async throws {
    let opened = Mutex<[String]>([])
    let stage = Stage(PreparedResponses(), onPage: { page in opened.withLock { $0.append(page) } })
    var request = Stage.request(with: [.init("authorizationEndpoint", "file:///etc/passwd")])
    (request.redirectUri, request.opensBrowser) = (nil, true)
    if let prompt = try? await stage.begin(request).prompt { #expect(prompt.url.hasPrefix("file:")) }
    #expect(opened.withLock { $0 } == [])
  }

  @Test func theResultPageMatchesTheOutcome() async throws {
    let server = PreparedResponses()
    server.add(body: #"{"access_token":"A"}"#)
    let stage = Stage(server)
    let (prompt, state) = try await stage.begin(request())
    let browser = try browser(prompt)
    for _ in 0..<3 { #expect(await browser.get("/callback?code=c&state=\(state)")?.body.contains("You are signed in to") == true) }
    #expect(await browser.get("/callback?code=other&state=x")?.status == 404)
    #expect(server.requests.count == 1)

    let second = try await stage.begin(request("b"))
    await stage.accounts.signIns.endForSignOut("b")
    #expect(
      try await self.browser(second.prompt).get("/callback?code=c&state=\(second.state)")?.body
        .contains("The program that asked for the sign-in cancelled it.") == true)

    let third = try await stage.begin(request("c"))
    _ = try await stage.begin(request("c").always())
    #expect(
      try await self.browser(third.prompt).get("/callback?code=c&state=\(third.state)")?.body
        .contains("Another sign-in of the same account replaced it.") == true)
    #expect(server.requests.count == 1)
  }

  /// The next sign-in gets the port at once, and answers for the previous one.
  @Test func aPinnedPortIsHandedOn() async throws {
    let server = PreparedResponses()
    server.add(body: #"{"access_token":"A"}"#)
    let stage = Stage(server)
    let any = try await stage.begin(request())
    let port = try browser(any.prompt).port
    await stage.accounts.abandonAllSignIns()
    let uri = "http://127.0.0.1:\(port)/callback"
    let first = try await stage.begin(request("a", uri))
    await stage.accounts.signIns.endForSignOut("a")
    let browser = LoopbackBrowser(port: port)
    #expect(await soon { await browser.get("/callback?code=c&state=x")?.status == 404 }, "it still answers")
    let second = try await stage.begin(request("a", uri))
    #expect(
      await browser.get("/callback?code=c&state=\(first.state)")?.body.contains("The program that asked for the sign-in cancelled it.")
        == true)
    #expect(server.requests.isEmpty)
    #expect(await browser.get("/callback?code=c&state=\(second.state)")?.status == 200)
    _ = try await stage.accounts.awaitSignIn(id: second.prompt.id, timeout: 5)
    // The result page was delivered, so any process may use the port.
    let next = try LoopbackListener.open(LoopbackAddress(ports: [port])) { _ in .notOurs }
    next.close()
  }

  @Test func anAgedStateIsForgotten() async throws {
    let stage = Stage(PreparedResponses())
    let any = try await stage.begin(request())
    let port = try browser(any.prompt).port
    await stage.accounts.abandonAllSignIns()
    let uri = "http://127.0.0.1:\(port)/callback"
    let first = try await stage.begin(request("a", uri))
    await stage.accounts.signIns.endForSignOut("a")
    stage.clock.advance(61)
    _ = try await stage.begin(request("a", uri))
    let page = await LoopbackBrowser(port: port).get("/callback?code=c&state=\(first.state)")
    #expect(page?.status == 404 && page?.body.contains("has already ended") == true)
    await stage.accounts.abandonAllSignIns()
  }
}
