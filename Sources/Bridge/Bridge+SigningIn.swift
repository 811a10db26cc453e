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
  /// Seconds that a call waits when the host has opened the page. Hosts wait for 30 s and more.
  private static let callSeconds = 25
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
    let isAsked = isCall && hostOpensPages(for: message)
    let attempt = login.attempt(for: needed, isCall: isCall, isAsked: isAsked) { [self] in await signedIn() }
    guard !message.requests.isEmpty, !isFirst else { return }
    open.wereRefused(message)
    do {
      guard let found = try await clock.withTimeout(Self.pageSeconds, { [login] in try await login.page(of: attempt) }) else {
        return fail(message, Failure("the page for the sign-in is not open yet: try again"))
      }
      guard var page = found else { return await forward(message) }
      let isList = message.method.map(Self.waiting.contains) == true
      let seconds = isList ? setup.listWait : message.openedPage == page.id ? Self.callSeconds : 0
      if seconds > 0 {
        let text = "\(page.sentence) (waiting \(seconds) s)"
        if isList { log.take(.init(.warning, text)) }
        if try await clock.withTimeout(seconds, { try await attempt.end.value() }) == true { return await forward(message) }
        if !login.isSigningIn, let failure = login.lastFailure { return fail(message, self.failure(failure)) }
        page = login.lastPage ?? page
      }
      let asks = isAsked ? await login.mayShowPage(for: needed) : false
      answer(message) { id in answer(to: id, message, page, asks: asks) }
    } catch {
      fail(message, failure(error))
    }
  }

  /// `asks` says that the host may open the page.
  private func answer(to id: JSON, _ message: Message, _ page: Login.Page, asks: Bool) -> Message {
    guard message.method(of: id) == "tools/call" else { return .error(Failure(page.sentence, data: ["url": .string(page.url)]), of: id) }
    let isStateless = Stateless.capabilities(of: message) != nil
    guard asks || message.openedPage == page.id else {
      let result: [JSON.Member] = [.init("content", [["type": "text", "text": .string(page.sentence)]]), .init("isError", true)]
      return .result(.object(result + (isStateless ? [.init("resultType", "complete")] : [])), of: id)
    }
    let question: [JSON.Member] = [.init("mode", "url"), .init("url", .string(page.url)), .init("message", .string(page.sentence))]
    if isStateless {
      // Without a question, the host calls again at once: the user has been asked.
      let requests: JSON = ["sign-in": ["method": "elicitation/create", "params": .object(question)]]
      let result: [JSON.Member] = [.init("resultType", "input_required"), .init("requestState", .string(ownState + page.id))]
      return .result(.object(result + (asks ? [.init("inputRequests", requests)] : [])), of: id)
    }
    login.state.withLock { _ = $0.opened.insert(page.id) }
    let elicitation = JSON.object(question + [.init("elicitationId", .string(page.id))])
    return .error(Failure(page.sentence, code: Self.urlElicitationRequired, data: ["elicitations": [elicitation]]), of: id)
  }

  private func hostOpensPages(for call: Message) -> Bool {
    let declared = Stateless.capabilities(of: call) ?? session.initialize?.json["params"]?["capabilities"]
    return call.openedPage != "" && declared?["elicitation"]?["url"] != nil
  }

  /// What the `requestState` of the bridge begins with. The page's id follows.
  private var ownState: String { "oauth-stdio \(login.account) " }

  /// Returns a call without the answer to a question of the bridge, which is not the server's.
  func withoutOwnState(_ call: Message) -> Message {
    guard call.method == "tools/call", call.contains("requestState".utf8), let params = call.json["params"], let members = params.members,
      let state = params["requestState"]?.string, state.hasPrefix(ownState)
    else { return call }
    var bare = call.sending(members.filter { !["inputResponses", "requestState"].contains($0.name) })
    let action = params["inputResponses"]?["sign-in"]?["action"]?.string ?? "accept"
    bare.openedPage = action == "accept" ? String(state.dropFirst(ownState.count)) : ""
    return bare
  }

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
      if session.agreement != nil, session.translation == nil, session.events == nil { listen() }
      announceLists()
    }
  }

  /// Tells the host that all lists may have changed.
  func announceLists() { for list in ServerAnswer.lists { write(.notification("notifications/\(list)/list_changed")) } }
}
