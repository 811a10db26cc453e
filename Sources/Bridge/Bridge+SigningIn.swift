import Jansson
import OAuthCore
import Platform
import Synchronization

/// What the host gets while the user must sign in. It never sees a 401.
extension Bridge {
  /// The requests that wait while the user signs in: many hosts list once, at their start.
  private static let waiting: Set = ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]
  /// Seconds that a request waits for the address of the page. It takes some requests to the authorization server.
  private static let pageSeconds = 20
  /// The error by which a server sends a user to a page (MCP 2025-11-25, elicitation).
  private static let urlElicitationRequired = -32042

  /// Answers the host's first request in the place of the server, whose answer follows when the user has signed in.
  func answerHere(_ request: Message) {
    guard request.method == Stateless.discover else {
      session.wasAnsweredHere()
      return answer(request) { .result(lastAnswer.result(for: request), of: $0) }
    }
    if let stored = lastAnswer.stored(for: request) { return answer(request) { .result(stored, of: $0) } }
    // A host that knows earlier versions goes on with `initialize`. The version of an unknown server is unknown.
    fail(request, Failure("the server's version is unknown until the user has signed in", code: -32601))
  }

  /// Begins the sign-in or joins the open one. Lists wait for its end, and other requests are answered with its page.
  func signIn(_ needed: Login.Needed, for message: Message) async {
    let isFirst = Self.firsts.contains(message.method)
    if isFirst { answerHere(message) }
    let isCall = message.requests.contains { message.method(of: $0) == "tools/call" }
    guard isFirst || !message.requests.isEmpty else { return }
    // The user wants what a tool does. Of the lists, which hosts ask for again and again, only the first begins a sign-in.
    guard isFirst || isCall || login.mayBegin else {
      let howToGoOn = Failure("the user must sign in: call a tool of this server, or run oauth-stdio login \(transport.url)")
      return fail(message, login.lastFailure.map(failure) ?? howToGoOn)
    }
    let attempt = login.attempt(for: needed, isCall: isCall) { [self] in await signedIn() }
    guard !message.requests.isEmpty, !isFirst else { return }
    open.wereRefused(message)
    do {
      guard let found = try await clock.withTimeout(Self.pageSeconds, { [login] in try await login.page(of: attempt) }) else {
        return fail(message, Failure("the page for the sign-in is not open yet: try again"))
      }
      guard var page = found else { return await forward(message) }
      if message.method.map(Self.waiting.contains) == true, setup.listWait > 0 {
        log.take(.signInAwaited(page.sentence, seconds: setup.listWait))
        if try await clock.withTimeout(setup.listWait, { try await attempt.end.value() }) == true { return await forward(message) }
        if !login.isSigningIn, let failure = login.lastFailure { return fail(message, self.failure(failure)) }
        page = login.lastPage ?? page
      }
      let asks = isCall && hostOpensPages ? await login.mayShowPage(for: needed) : false
      answer(message) { id in answer(to: id, message.method(of: id), page, asks: asks) }
    } catch {
      fail(message, failure(error))
    }
  }

  /// `asks` says that the host may open the page.
  private func answer(to id: JSON, _ method: String?, _ page: Login.Page, asks: Bool) -> Message {
    guard method == "tools/call" else { return .error(Failure(page.sentence, data: ["url": .string(page.url)]), of: id) }
    guard asks else {
      return .result(["content": [["type": "text", "text": .string(page.sentence)]], "isError": true], of: id)
    }
    login.state.withLock { _ = $0.opened.insert(page.id) }
    let elicitation: JSON = ["mode": "url", "elicitationId": .string(page.id), "url": .string(page.url), "message": .string(page.sentence)]
    return .error(Failure(page.sentence, code: Self.urlElicitationRequired, data: ["elicitations": [elicitation]]), of: id)
  }

  private var hostOpensPages: Bool { session.initialize?.json["params"]?["capabilities"]?["elicitation"]?["url"] != nil }

  /// Makes up for what waited for the sign-in, and tells the host to look again.
  private func signedIn() async {
    // The host repeats its requests.
    defer {
      for page in login.state.withLock({ exchange(&$0.opened, with: []) }) {
        write(.notification("notifications/elicitation/complete", ["elicitationId": .string(page)]))
      }
    }
    if session.isDue {
      do {
        _ = try await handshake(after: nil)
      } catch {
        // The host's next request tries again.
        log.take(.messageNotForwarded(method: "initialize", reason: failure(error).message))
      }
    } else {
      // Without a login, the server has ended the stream.
      if let agreement = session.agreement, session.translation == nil, session.events == nil { listen(agreement) }
      announceLists()
    }
  }

  /// Tells the host that all lists may have changed.
  func announceLists() { for list in ServerAnswer.lists { write(.notification("notifications/\(list)/list_changed")) } }
}
