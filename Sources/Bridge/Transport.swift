import OAuthCore

/// The way to the MCP server: the user's own headers, the account's token, redirects within the origin, and a limit on what waits for the server.
struct Transport: Sendable {
  private static let redirectLimit = 5

  let url: URLParts
  /// The user's own headers.
  let headers: [HTTPHeader]
  let login: Login
  private let slots = Slots()
  private let watch: Watch

  init(_ url: URLParts, _ headers: [HTTPHeader], _ login: Login) {
    (self.url, self.headers, self.login, watch) = (url, headers, login, Watch(login.accounts.clock))
  }

  /// Sends a request and follows redirects within the origin. A success goes to `reception` as it comes.
  /// Servers close idle connections after five seconds or more, so younger ones are used again. A connection that is closed at this very moment is an
  /// error: the server may have received the request.
  /// `isUrgent` requests wait for no other: the server may need them to answer the others. `begin` is called before each sending, and can prevent it.
  func send(
    _ method: String, _ more: [HTTPHeader], to place: URLParts? = nil, body: [UInt8]? = nil, into reception: Reception? = nil,
    isUrgent: Bool = true, connectionAge: Int? = 3, begin: @escaping @Sendable () throws -> Void = {}
  ) async throws -> HTTPResponse {
    if let reception { watch.add(reception) { await isAlive(like: more) } }
    defer { if let reception { watch.remove(reception) } }
    let slot = isUrgent ? nil : try await slots.take()
    defer { slot?.leave() }
    var target = place ?? url
    for _ in 0...Self.redirectLimit {
      try login.limits.check(call: method, to: target)
      var request = HTTPRequest(method: method, url: target.description, headers: headers)
      (request.timeout, request.connectionAge) = (0, connectionAge)
      if let body {
        request.body = .bytes(body)
        request.headers.append(HTTPHeader("Content-Type", "application/json"))
      }
      let accepted = method == "GET" ? "text/event-stream" : "application/json, text/event-stream"
      request.headers += [HTTPHeader("Accept", accepted)] + more
      reception?.receive(&request)
      request.headWasReceived = { status, headers in
        // A stream may last for hours, and the server has taken the request.
        slot?.leave()
        reception?.begin(status, headers)
      }
      let sending = Task { [request] in try await login.send(request, begin) }
      reception?.stop { sending.cancel() }
      let response = try await withTaskCancellationHandler {
        try await sending.value
      } onCancel: {
        sending.cancel()
      }
      guard HTTPResponse.redirects.contains(response.status), let location = response.header("Location") else { return response }
      guard response.status != 303, let next = try? target.resolve(location), next.origin == target.origin else {
        let place = (try? target.resolve(location))?.shown ?? "no valid URL"
        throw Failure("\(url.hostAndPort) redirects to \(place), which does not get the login's token: if it is right, use that URL")
      }
      target = next
    }
    throw Failure("\(url.hostAndPort) redirects in a circle")
  }
}

extension Transport {
  /// Seconds for the answer to a question of the bridge.
  private static let patience = 30

  /// Whether the server answers a question on another connection. `headers` are those of a request of the same version.
  private func isAlive(like headers: [HTTPHeader]) async -> Bool {
    let version = headers.first { $0.isNamed("mcp-protocol-version") }?.value
    let isStateless = version == MCPVersion.stateless
    let question =
      isStateless
      ? Stateless.request(Stateless.discover, id: "oauth-stdio", meta: Translation(.object([])).meta)
      : Message(["jsonrpc": "2.0", "id": "oauth-stdio", "method": "ping"])
    let own = isStateless ? Stateless.headers(of: question, nil) ?? [] : headers.filter { !$0.isNamed("last-event-id") }
    do {
      let status = try await login.accounts.clock.withTimeout(Self.patience) {
        try await send("POST", own, body: question.bytes, connectionAge: nil).status
      }
      return status.map { 200..<300 ~= $0 } ?? false
    } catch {
      // A server that wants a login is there.
      return error is Login.Needed
    }
  }
}
