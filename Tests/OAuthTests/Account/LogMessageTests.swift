import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

/// Facts that are logged and appear in no response.
struct LogMessageTests {
  private let server = PreparedResponses()

  @Test func aSignInIsOpenedRejectsOtherRedirectsAndIsClosed() async throws {
    let stage = Stage(server)
    let (prompt, state) = try await stage.begin()
    #expect(stage.logged == [.signInOpened(account: "a", id: prompt.id)])
    #expect(try await stage.accounts.handleRedirect("app.example:/callback?code=c0de&state=other") == false)
    #expect(stage.logged.last == .redirectRejected)
    #expect(try await stage.accounts.handleRedirect("app.example:/callback?error=access_denied&state=\(state)"))
    #expect(stage.logged.last == .signInClosed(account: "a", id: prompt.id))
  }

  @Test func aStrayRedirectAtTheLoopbackAddressIsLogged() async throws {
    let stage = Stage(server)
    var request = Stage.request()
    request.redirectUri = nil
    let (prompt, _) = try await stage.begin(request)
    let uri = try #require(Stage.parameter("redirect_uri", of: prompt.url))
    let browser = LoopbackBrowser(port: UInt16(try #require(try URLParts(uri).port)))
    let page = await browser.get("/callback?code=c&state=other", fields: "Accept-Language: de\r\n")
    #expect(page?.status == 404 && page?.body.contains("oauth-stdio wartet auf keine Anmeldung mit dieser Adresse.") == true)
    #expect(stage.logged.contains(.redirectRejected))
    await stage.accounts.abandonAllSignIns()
  }

  @Test(arguments: [true, false])
  func aBrowserThatDoesNotStartIsLogged(hasBrowser: Bool) async throws {
    let stage = Stage(server, hasBrowser: hasBrowser)
    var request = Stage.request()
    request.opensBrowser = true
    _ = try await stage.begin(request)
    #expect(stage.logged.contains(.browserNotStarted(account: "a")) == !hasBrowser)
  }

  @Test func aDeviceFlowThatIsLeftIsLogged() async throws {
    let stage = Stage(server, hasBrowser: false)
    server.add(status: 400, body: #"{"error":"unauthorized_client"}"#)
    var request = Stage.request(with: [.init("deviceAuthorizationEndpoint", "https://id.example/device")])
    request.opensBrowser = true
    request.redirectUri = nil
    _ = try await stage.begin(request)
    #expect(stage.logged.contains(.deviceFlowLeft(account: "a")))
    await stage.accounts.abandonAllSignIns()
  }

  @Test func aRefreshThatIsPutOffIsLogged() async throws {
    let stage = Stage(server)
    try await stage.keep(expiresIn: 0)
    server.add(status: 503, body: "")
    _ = await failureOf { try await stage.accounts.usableGrant("a", requestID: nil) }
    #expect(stage.logged == [.refreshPutOff(account: "a", kind: .authorizationServerError)])
  }

  @Test func aGrantThatCannotBeWrittenIsAnErrorOnce() async throws {
    let store = StubbornStore()
    let stage = Stage(server, store: store)
    try await stage.keep(expiresIn: 0)
    store.reject(true)
    server.add(body: #"{"access_token":"access-2","refresh_token":"refresh-2","expires_in":3600}"#)
    _ = await failureOf { try await stage.accounts.usableGrant("a", requestID: nil) }
    #expect(stage.logged == [.grantNotWritten(account: "a", reason: "the disk is full")])
    #expect(stage.logged.first?.level == .error)
  }

  @Test func theStoreLogsWhatItSetsAside() async throws {
    let folder = try TemporaryFolder()
    let said = LogRecorder()
    let clock = ManualClock(at: 7)
    let store = FileStore(folder: folder.path, clock: clock.clock, log: said)
    try await store.write(StoreStage().grant("b"))
    _ = folder.write("a.grant", Array("no grant".utf8))
    #expect(await failureOf { try store.read("a") }?.kind == .storageFailure)
    #expect(said.all == [.fileSetAside("\(folder.path)/a.grant.unreadable-7")])
  }

  @Test func aBrokenProviderFileIsLogged() throws {
    let folder = try TemporaryFolder()
    let said = LogRecorder()
    let path = folder.write("mine.json", Array(#"{"tokenEndpiont":"x"}"#.utf8))
    _ = try? ProviderFiles(folder: folder.path, log: said).description(of: "mine")
    let message = try #require(said.all.first)
    #expect(message.level == .warning && message.text.contains(path) && message.text.contains("/tokenEndpiont"))
  }
}
