import HTTP
import Jansson
import OAuthCore

extension Discovery {
  /// Returns the resource's metadata and their place. What the resource demands of a request decides where they are looked for.
  mutating func resource() async throws -> (MetadataDocument.Resource, place: String)? {
    let isGiven = challenge != nil
    if !isGiven { challenge = try await answerToGET() }
    if challenge == nil { _ = try await probe() }
    let found = try await metadata()
    // The challenge of a GET may say less than that of a POST.
    if isGiven || challenge?.scopes != nil || found?.0.scopes.isEmpty == false || probed != nil { return found }
    _ = try await probe()
    if let found { return found }
    return try await metadata()
  }

  private mutating func metadata() async throws -> (MetadataDocument.Resource, place: String)? {
    for place in [challenge?.metadata].compactMap(\.self) + MetadataDocument.WellKnown.resource(url) {
      guard let response = try await document(at: place) else { continue }
      do throws(OAuthFailure) {
        return (try MetadataDocument.Resource(response.body, of: url), place)
      } catch {
        note(error)
      }
    }
    return nil
  }

  /// Returns the challenge of the resource to a GET without a token; nil if it is not a 401. The resource may not support such a request.
  mutating func answerToGET() async throws -> HTTPChallenge.Resource? {
    guard let response = try await response(HTTPRequest(method: "GET", url: url.description), isNeeded: false), response.status == 401
    else { return nil }
    return read(response)
  }

  /// Returns the response's challenge. A wrong URL of the metadata is noted, and nothing beside it is used.
  mutating func read(_ response: HTTPResponse) -> HTTPChallenge.Resource {
    var found = HTTPChallenge.Resource(response)
    if let metadata = found.metadata, let problem = MetadataDocument.problem(ofPlace: metadata, named: url) {
      note(.untrusted("\(url.host) names a wrong metadata URL: it \(problem)"))
      (found.metadata, found.scopes) = (nil, nil)
    }
    return found
  }

  /// How the URL answers a client of the Model Context Protocol that has no token.
  enum Probe {
    /// It does not speak the protocol.
    case silent
    /// It speaks the protocol, and what was asked needs no token.
    case open
    /// With 401.
    case challenged
  }

  /// Asks the URL as MCP's clients do, once. Many servers challenge nothing but POST, and some nothing but the first request after the handshake.
  ///
  /// The challenge of a 401 fills what `challenge` lacks.
  mutating func probe() async throws -> Probe {
    if let probed { return probed }
    guard mayPost else {
      lacksProbe = true
      return .silent
    }
    let answer: Probe = url.scheme == "https" || url.isLoopback ? try await ask() : .silent
    probed = answer
    return answer
  }

  private mutating func ask() async throws -> Probe {
    let client: JSON = ["name": "oauth-stdio", "version": "1"]
    let handshake: JSON = ["protocolVersion": .string(MCPVersion.handshake), "capabilities": .object([]), "clientInfo": client]
    guard let first = try await post("initialize", id: 1, handshake) else { return .silent }
    if isChallenge(first) { return .challenged }
    let body = try? JSON.parse(first.trimmedBody)
    // A server that knows only the later version rejects the handshake: for a header, for its version or as a method that does not exist.
    if [400, 404].contains(first.status), body?["jsonrpc"] == "2.0", body?["error"] != nil {
      var speaks = false
      let version = HTTPHeader("MCP-Protocol-Version", MCPVersion.stateless)
      let meta: JSON = [
        "io.modelcontextprotocol/protocolVersion": .string(MCPVersion.stateless), "io.modelcontextprotocol/clientInfo": client,
        "io.modelcontextprotocol/clientCapabilities": .object([]),
      ]
      for (id, method) in [(2, "server/discover"), (3, "tools/list")] {
        let answer = try await post(method, id: id, ["_meta": meta], [version, HTTPHeader("Mcp-Method", method)])
        if let answer, isChallenge(answer) { return .challenged }
        speaks = speaks || answer?.status == 200
      }
      return speaks ? .open : .silent
    }
    let text = String(decoding: first.body, as: UTF8.self)
    guard first.status == 200, text.contains("\"jsonrpc\"") else { return .silent }
    // The server's own version, which may be an earlier one. The response is JSON, or an event that contains it.
    let chosen = text.firstRange(of: "\"protocolVersion\"").flatMap { text[$0.upperBound...].split(separator: "\"").dropFirst().first }
    let isVersion = chosen?.utf8.allSatisfy { isASCIIDigit($0) || $0 == UInt8(ascii: "-") } == true
    var headers = [HTTPHeader("MCP-Protocol-Version", isVersion ? chosen.map(String.init) ?? "" : MCPVersion.handshake)]
    let session = first.header("Mcp-Session-Id").map { HTTPHeader("Mcp-Session-Id", $0) }
    if let session { headers.append(session) }
    _ = try await post("notifications/initialized", id: nil, nil, headers)
    let list = try await post("tools/list", id: 2, .object([]), headers)
    if session != nil { _ = try await response(HTTPRequest(method: "DELETE", url: url.description, headers: headers), isNeeded: false) }
    return list.map { isChallenge($0) } == true ? .challenged : .open
  }

  /// Sends a message of the protocol: a request with an id and params, or a notification.
  private mutating func post(
    _ method: String, id: Int? = nil, _ params: JSON? = nil, _ headers: [HTTPHeader] = []
  ) async throws -> HTTPResponse? {
    let optional = (id: id.map { [JSON.Member("id", .integer($0))] } ?? [], params: params.map { [JSON.Member("params", $0)] } ?? [])
    let message = [JSON.Member("jsonrpc", "2.0")] + optional.id + [JSON.Member("method", .string(method))] + optional.params
    let types = [HTTPHeader("Content-Type", "application/json"), HTTPHeader("Accept", "application/json, text/event-stream")]
    return try await response(
      HTTPRequest(method: "POST", url: url.description, headers: types + headers, body: .bytes(JSON.object(message).text)), isNeeded: false)
  }

  /// Whether the response is a 401 of OAuth. Remembers its challenge.
  private mutating func isChallenge(_ response: HTTPResponse) -> Bool {
    let names = response.headers.filter { $0.isNamed("www-authenticate") }.map { $0.value.lowercased() }
    guard response.status == 401, names.isEmpty || names.contains(where: { $0.contains("bearer") || $0.contains("dpop") }) else {
      return false
    }
    let found = read(response)
    challenge = HTTPChallenge.Resource(
      metadata: challenge?.metadata ?? found.metadata, scopes: challenge?.scopes ?? found.scopes, demandsDPoP: found.demandsDPoP)
    return true
  }
}
