import Jansson
import Synchronization
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// Pages that the browser isn't sent to, and redirects long after the sign-in's end.
struct ListenerAnswerTests {
  private func request(_ uri: String? = nil) -> AuthorizationInput {
    var request = Stage.request()
    request.redirectUri = uri
    return request
  }

  private func browser(_ prompt: SignInPrompt) throws -> LoopbackBrowser {
    let uri = try URLParts(try #require(Stage.parameter("redirect_uri", of: prompt.url)))
    return LoopbackBrowser(port: UInt16(try #require(uri.explicitPort)))
  }

  @Test func aPageThatIsNotOnTheWebIsNotRedirectedTo() async throws {
    let opened = Mutex<[String]>([])
    let stage = Stage(PreparedResponses(), onPage: { page in opened.withLock { $0.append(page) } })
    var request = Stage.request(with: [.init("authorizationEndpoint", "file:///etc/passwd")])
    (request.redirectUri, request.opensBrowser) = (nil, true)
    if let prompt = try? await stage.begin(request).prompt { #expect(prompt.url.hasPrefix("file:")) }
    #expect(opened.withLock { $0 } == [])
  }

  @Test func anAgedStateIsForgotten() async throws {
    let stage = Stage(PreparedResponses())
    let any = try await stage.begin(request())
    let port = try browser(any.prompt).port
    await stage.accounts.signIns.abandon(all: true)
    let uri = "http://127.0.0.1:\(port)/callback"
    let first = try await stage.begin(request(uri))
    await stage.accounts["a"].openSignIn?.endForSignOut()
    stage.clock.advance(61)
    _ = try await stage.begin(request(uri))
    let page = await LoopbackBrowser(port: port).get("/callback?code=c&state=\(first.state)")
    #expect(page?.status == 404 && page?.body.contains("is waiting for no sign-in with this address") == true)
    await stage.accounts.signIns.abandon(all: true)
  }
}
