import Jansson
import OAuthCore
import Platform
import Synchronization

/// A request of an older host at a server of 2026-07-28, which may want input before it answers (MCP 2026-07-28, multi round-trip requests).
/// The bridge asks the host as older servers do, and repeats the request with what the host has answered.
struct RoundTrips: Sendable {
  /// How often a request is repeated. MCP's SDKs have the same limit.
  private static let limit = 10
  /// Questions at once. A server could fill the memory with them.
  private static let questionLimit = 50
  /// Milliseconds before a repetition for which the server wants no input.
  private static let pause = 250
  /// The kinds of requests, and what a host declares that answers them.
  private static let kinds = ["elicitation/create": "elicitation", "sampling/createMessage": "sampling", "roots/list": "roots"]

  let bridge: Bridge
  let request: Message

  /// Returns when the request is answered. Throws why the server's answer is missing.
  func run() async throws {
    var sent = request
    for round in 0...Self.limit {
      let exchange = Exchange(bridge: bridge, message: sent) { answer in
        answer.contains("input_required".utf8) && answer.json["result"]?["resultType"]?.string == "input_required"
      }
      guard let result = try await exchange.run()?["result"] else { return }
      if round == Self.limit { break }
      let (requests, id) = (result["inputRequests"]?.members ?? [], "oauth-stdio \(request.line).\(round)")
      if requests.isEmpty { try await bridge.clock.sleep(milliseconds: Self.pause) }
      let answers = JSON.Member("inputResponses", .object(try await ask(requests, id)))
      let more = (requests.isEmpty ? [] : [answers]) + (result.members ?? []).filter { $0.name == "requestState" }
      sent = request.sending((request.json["params"]?.members ?? []) + more, id: .string(id))
    }
    throw Failure("\(bridge.transport.url.hostAndPort) wants input again and again (input_required)")
  }

  /// Asks the host for all that the server wants. The first error ends the other questions.
  private func ask(_ requests: [JSON.Member], _ id: String) async throws -> [JSON.Member] {
    if let other = requests.first(where: { !isDeclared($0.value) }) {
      let kind = other.value["method"]?.string ?? "something unknown"
      throw Failure("\(bridge.transport.url.hostAndPort) asks for \(kind), which the host has not declared (input_required)")
    }
    guard requests.count <= Self.questionLimit else {
      throw Failure("\(bridge.transport.url.hostAndPort) asks for too much (input_required)")
    }
    return try await withThrowingTaskGroup(of: JSON.Member.self) { group in
      for request in requests { group.addTask { .init(request.name, try await ask(request.value, "\(id) \(request.name)")) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func isDeclared(_ request: JSON) -> Bool {
    let capabilities = bridge.session.initialize?.json["params"]?["capabilities"]
    guard let found = Self.kinds[request["method"]?.string ?? ""].flatMap({ capabilities?[$0] }) else { return false }
    // A host that names no mode has forms (MCP 2025-11-25, elicitation).
    switch request["params"]?["mode"] {
    case .string("url"): return found["url"] != nil
    case nil, .string("form"): return found["url"] == nil || found["form"] != nil
    default: return false
    }
  }

  private func ask(_ request: JSON, _ id: String) async throws -> JSON {
    let answered = Promise<JSON>()
    bridge.questions.withLock { $0[id] = answered }
    defer {
      if bridge.questions.withLock({ $0.removeValue(forKey: id) }) != nil {
        bridge.write(.notification("notifications/cancelled", ["requestId": .string(id)]))
      }
    }
    // Hosts of 2025-11-25 need an id for a page.
    let page = request["params"]?["mode"]?.string == "url" ? [JSON.Member("elicitationId", .string(id))] : []
    let params = JSON.object((request["params"]?.members ?? []) + page)
    bridge.write(Message(["jsonrpc": "2.0", "id": .string(id), "method": request["method"] ?? .null, "params": params]))
    let answer = try await answered.value()
    if let result = answer["result"] { return result }
    throw answer["error"].map { Failure(json: $0) } ?? Failure("the host's answer to \(request["method"]?.string ?? "") cannot be read")
  }
}

extension Bridge {
  /// Takes the host's answer to a request of the bridge. Returns false if the message is for the server.
  func takesAnswer(_ message: Message) -> Bool {
    guard message.method == nil, let id = message.envelope["id"]?.string else { return false }
    return questions.withLock { $0.removeValue(forKey: id) }?.settle(.success(message.json)) ?? false
  }
}
