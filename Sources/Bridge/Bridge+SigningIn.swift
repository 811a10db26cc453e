import Jansson
import OAuthCore
import Platform

/// What the host gets while the user must sign in. It never sees a 401.
extension Bridge {
  /// Seconds that a request waits for the address of the page. It takes some requests to the authorization server.
  private static let pageSeconds = 20
  /// The error by which a server sends a user to a page (MCP 2025-11-25, elicitation).
  private static let urlElicitationRequired = -32042

  /// Answers `initialize` in the place of the server, whose answer follows when the user has signed in.
  func answerHere(_ initialize: Message) {
    session.wasAnsweredHere()
    for id in initialize.requests { answer(id, with: .result(lastAnswer.result(for: initialize), of: id)) }
  }

  /// Begins the sign-in, and answers the requests with its page.
  func signIn(_ needed: Login.Needed, for message: Message) async {
    if message.method == "initialize" { answerHere(message) }
    // The user wants what a tool does. The lists that a host asks for again and again open no second page.
    let isWanted = message.method == "initialize" || message.requests.contains { method(of: $0) == "tools/call" }
    if !isWanted, let failure = login.lastFailure, !login.isSigningIn { return fail(message, self.failure(failure)) }
    guard isWanted || !message.requests.isEmpty else { return }
    let page = login.page(for: needed) { [self] in await signedIn() }
    guard !message.requests.isEmpty, message.method != "initialize" else { return }
    do {
      let found = try await clock.withTimeout(Self.pageSeconds) { try await page.value() }
      guard let found else { return fail(message, Failure("the page for the sign-in is not open yet: try again")) }
      for id in message.requests { answer(id, with: answer(to: id, found)) }
    } catch {
      fail(message, failure(error))
    }
  }

  private func answer(to id: JSON, _ page: Login.Page) -> Message {
    let data: JSON = page.url.map { ["url": .string($0)] } ?? .object([])
    guard method(of: id) == "tools/call" else { return .error(Failure(page.sentence, data: data), of: id) }
    guard let url = page.url, hostOpensPages else {
      return .result(["content": [["type": "text", "text": .string(page.sentence)]], "isError": true], of: id)
    }
    let elicitation: JSON = ["mode": "url", "elicitationId": .string(page.id), "url": .string(url), "message": .string(page.sentence)]
    return .error(Failure(page.sentence, code: Self.urlElicitationRequired, data: ["elicitations": [elicitation]]), of: id)
  }

  private var hostOpensPages: Bool { session.initialize?.json["params"]?["capabilities"]?["elicitation"]?["url"] != nil }

  /// Makes up for what waited for the sign-in, and tells the host to look again.
  private func signedIn() async {
    if session.isDue {
      do {
        _ = try await handshake(after: nil)
      } catch {
        // The host's next request tries again.
        return log.take(.messageNotForwarded(method: "initialize", reason: failure(error).message))
      }
    }
    announceLists()
  }

  /// Tells the host that all lists may have changed.
  func announceLists() { for list in ServerAnswer.lists { write(.notification("notifications/\(list)/list_changed")) } }
}
