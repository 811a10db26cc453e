import HTTP
import Jansson
import OAuthCore
import Platform
import Synchronization

/// Finds out what a URL is: an issuer, or a protected resource that names one (RFC 8414; OpenID Connect Discovery 1.0; RFC 9728).
package struct Discovery: Sendable {
  /// What a URL's servers publish.
  struct Found: Sendable {
    /// The provider's description.
    var description: [JSON.Member]
    /// In seconds.
    var lifetime: Int
    /// The scope of the server that published it.
    var scope: NetworkScope
    var sources = Sources()
  }

  /// An authorization server's own metadata.
  private struct Server {
    /// As that of a URL that is an issuer itself.
    var found: Found
    var listsS256: Bool
    var listsOfflineAccess: Bool
  }

  private let http: any HTTPClient
  let url: URLParts
  /// The fault to report if nothing is found. Order: a demand that this program does not support, then a temporary fault, then the first fault.
  private var fault: OAuthFailure?
  /// The first redirect to another origin. It is not followed: another server could answer for this one.
  private var redirect: HTTPResponse?
  /// Fetched documents. No place is asked twice.
  private var fetched: [String: HTTPResponse?] = [:]
  /// Whether each place so far has answered that nothing is there.
  private var hasOnlyMissing = true
  /// What the URL demands of a request without a token, or of the account's; nil until a 401 says it.
  var challenge: HTTPChallenge.Resource?
  /// How the URL answers a client of the Model Context Protocol; nil until it is asked.
  var probed: Probe?
  /// Whether the URL may be asked by POST. A call's own 401 is no reason: its limits may allow GET alone.
  var mayPost = true
  /// Whether a question by POST was left out, so that what is found is not fresh.
  var lacksProbe = false
  /// The narrowest scope of the answers of the URL's own server. A name that once resolves to this machine may not name places on it.
  private var answered: NetworkScope?
  /// The scope of that server, which must not name a URL of a narrower scope.
  private var scope: NetworkScope { answered ?? NetworkScope(url) }

  /// `challenge` is that of a call of the API. It stands for what the URL would answer here.
  init(_ url: URLParts, http: any HTTPClient, challenge: HTTPChallenge.Resource? = nil) {
    self.url = url
    self.http = http
    self.challenge = challenge
  }

  /// Throws a network failure such as `networkFailure` if the host cannot be reached, and `authorizationServerError` if it fails.
  /// Throws `responseUntrusted` if its metadata is not trustworthy.
  /// Throws `unsupportedByProvider` if it publishes nothing or demands what this program lacks.
  mutating func run() async throws -> Found {
    // A challenge that names the resource's metadata leaves no question.
    if challenge?.metadata == nil {
      // The metadata of a resource with exactly this URL is more specific than an issuer's: it says where its tokens are valid (RFC 9728, 3.3).
      let isResource = try await isNamedAsResource()
      if !isResource, let server = try await server(url) { return server.found }
    }
    if let (resource, place) = try await resource() {
      // From here on only the server counts. It is not a fault that the resource is not an issuer itself.
      fault = nil
      // The client chooses the server (RFC 9728, 7.6). More than three would take too long.
      for issuer in resource.servers.prefix(3) {
        guard let server = try await server(issuer) else { continue }
        let scopes = scopes(of: resource, server)
        return try await found(
          resource.description(over: server.found.description, scopes: scopes), server, (resource, place), scopes,
          min(scope, server.found.scope))
      }
      throw fault ?? nothing(at: resource.servers[0])
    }
    if let fault, fault.kind == .unsupportedByProvider { throw fault }
    let base = JSON.Member("apiBase", .string(url.description))
    if let root = try? URLParts(url.origin), !MetadataDocument.WellKnown.isRoot(url) || challenge?.metadata != nil,
      let server = try await server(root)
    {
      // Before resource metadata existed, the Model Context Protocol treated the server's own host as its authorization server.
      let scopes = scopes(of: nil, server)
      return try await found(server.found.description + [base] + Self.member(scopes), server, nil, scopes, server.found.scope)
    }
    if hasOnlyMissing, try await probe() == .challenged {
      // Without any metadata, the endpoints are at the root of the host (MCP 2025-03-26, 2.3.3).
      let endpoints = [("authorizationEndpoint", "authorize"), ("tokenEndpoint", "token"), ("registrationEndpoint", "register")]
      let scopes = scopes(of: nil, nil)
      return Found(
        description: endpoints.map { .init($0, .string("\(url.origin)/\($1)")) } + [base] + Self.member(scopes),
        lifetime: CacheLifetime.unpublished, scope: scope, sources: Sources(scopes: scopes.isEmpty ? .none : .challenge))
    }
    throw fault ?? nothing(at: url)
  }

  private mutating func found(
    _ description: [JSON.Member], _ server: Server, _ resource: (MetadataDocument.Resource, place: String)?, _ scopes: [String],
    _ scope: NetworkScope
  ) async throws -> Found {
    var sources = server.found.sources
    (sources.resource, sources.issuers) = (resource?.place, (resource?.0.servers ?? []).map(\.description))
    sources.scopes = challenge?.scopes != nil ? .challenge : scopes.isEmpty ? .none : .resource
    sources.addsOfflineAccess = scopes.last == Self.offlineAccess && (challenge?.scopes ?? resource?.0.scopes)?.last != Self.offlineAccess
    // The preset of an issuer says what its metadata leaves out. Entra supports S256, and it rejects `resource` beside `scope` (AADSTS9010010).
    let preset = Self.preset(of: JSON.object(server.found.description)["issuer"]?.string ?? "")
    let known = ["resourceIndicator", "sendsScopesOnRefresh", "redirectHost"]
    var additions = known.compactMap { name in preset?[name].map { JSON.Member(name, $0) } }
    if resource?.0.demandsDPoP == true || challenge?.demandsDPoP == true { additions.append(.init("dpop", .bool(true))) }
    additions.removeAll { addition in description.contains { $0.name == addition.name } }
    // A plain API's server may support S256 without saying so. For the Model Context Protocol, silence means that it doesn't.
    if !server.listsS256, preset == nil || preset?["pkce"] == "off" { sources.lacksS256 = try await probe() != .silent }
    return Found(description: description + additions, lifetime: lacksProbe ? 0 : server.found.lifetime, scope: scope, sources: sources)
  }

  private static func preset(of issuer: String) -> JSON? {
    Preset.all.lazy.compactMap { try? JSON.parse($0.text) }.first { preset in
      preset["issuer"]?.string.map { $0 == issuer || IssuerTemplate($0).mayName(issuer) } == true
    }
  }

  private static let offlineAccess = "offline_access"

  /// Returns the scopes to request: those of the challenge, else those of the resource's metadata. The server's own are for all its resources.
  ///
  /// `offline_access` beside them asks for a refresh token. Alone, it would replace the scopes that the server grants by itself.
  private func scopes(of resource: MetadataDocument.Resource?, _ server: Server?) -> [String] {
    let scopes = challenge?.scopes ?? resource?.scopes ?? []
    guard !scopes.isEmpty, server?.listsOfflineAccess == true, !scopes.contains(Self.offlineAccess) else { return scopes }
    return scopes + [Self.offlineAccess]
  }

  private static func member(_ scopes: [String]) -> [JSON.Member] {
    scopes.isEmpty ? [] : [.init("scopes", .array(scopes.map { .string($0) }))]
  }

  private mutating func isNamedAsResource() async throws -> Bool {
    guard let response = try await document(at: MetadataDocument.WellKnown.resource(url)[0]) else { return false }
    // A fault in the document is reported only when the document is needed.
    guard let resource = try? MetadataDocument.Resource(response.body, of: url) else { return false }
    return resource.isExactly(url)
  }

  /// Merges the issuer's documents: the first one wins, and members that only a later one has are added.
  private mutating func server(_ issuer: URLParts) async throws -> Server? {
    var first: MetadataDocument?
    var found: Server?
    for (index, places) in MetadataDocument.WellKnown.server(issuer).enumerated() where index < 2 || found == nil {
      for place in places {
        guard let response = try await document(at: place, isNeeded: found == nil) else { continue }
        do throws(OAuthFailure) {
          let own = try MetadataDocument(response.body, of: issuer)
          try own.checkedIssuer(issuer)
          let merged = try first?.filled(from: own) ?? own
          first = first ?? own
          let before = found?.found
          let now = Found(
            description: try merged.serverDescription(of: issuer), lifetime: CacheLifetime.usual,
            scope: min(before?.scope ?? .thisMachine, Self.scope(of: issuer, response)),
            sources: Sources(
              server: before?.sources.server ?? place, acceptsClientMetadata: merged.isTrue("client_id_metadata_document_supported")))
          found = Server(
            found: now, listsS256: try merged.lists("S256", in: "code_challenge_methods_supported"),
            listsOfflineAccess: try merged.lists(Self.offlineAccess, in: "scopes_supported"))
          break
        } catch {
          note(error)
        }
      }
    }
    return found
  }

  /// Returns nil if there is no document. A page that the server shows for every URL is not a document.
  mutating func document(at place: String, isNeeded: Bool = true, isMoved: Bool = false) async throws -> HTTPResponse? {
    if let response = fetched[place] { return response }
    let response = try await fetch(place, isNeeded: isNeeded, isMoved: isMoved)
    fetched[place] = .some(response)
    return response
  }

  private mutating func fetch(_ place: String, isNeeded: Bool, isMoved: Bool) async throws -> HTTPResponse? {
    let request = HTTPRequest(method: "GET", url: place, headers: [HTTPHeader("Accept", "application/json")])
    guard var response = try await response(request, isNeeded: isNeeded) else {
      hasOnlyMissing = false
      return nil
    }
    if response.status != 404, response.status != 405 { hasOnlyMissing = false }
    response.body = response.trimmedBody
    if response.status == 200 { return response.body.first == UInt8(ascii: "{") ? response : nil }
    let asked = (try? URLParts(place)) ?? url
    if HTTPResponse.redirects.contains(response.status), let target = response.header("Location") {
      // A server may move its own document, for example to a path with a slash at its end. Without the document, others are asked for.
      if !isMoved, let next = try? asked.resolve(target), next.origin == asked.origin, next.userInfo == nil {
        return try await document(at: next.description, isNeeded: false, isMoved: true)
      }
      redirect = redirect ?? response
    }
    if response.status == 429 || response.status >= 500 {
      let message = "\(asked.host) answered the request for its metadata with status \(response.status)"
      note(OAuthFailure(.authorizationServerError, message, details: [.init("httpStatus", .integer(response.status))], isRetryable: true))
    }
    return nil
  }

  /// Returns nil if the response was incomplete: a resource may send a stream without an end.
  mutating func response(_ request: HTTPRequest, isNeeded: Bool = true) async throws -> HTTPResponse? {
    var request = request
    // Short, because the user is waiting.
    request.timeout = 10
    // Ten times the longest document that a server publishes.
    request.maxBytes = 1 << 20
    let isOwn = (try? URLParts(request.url))?.host == url.host
    if !isOwn { request.scopeLimit = scope }
    do throws(HTTPFailure) {
      let response = try await http.send(request)
      if isOwn { answered = min(answered ?? .thisMachine, Self.scope(of: url, response)) }
      return response
    } catch {
      try Task.checkCancellation()
      switch error {
      case .tooLarge, .timedOut: break
      default: if isNeeded { throw OAuthFailure(error) }
      }
      note(OAuthFailure(error))
      return nil
    }
  }

  mutating func note(_ failure: OAuthFailure) {
    let isWorse = failure.kind == .unsupportedByProvider || (failure.isRetryable && fault?.isRetryable == false)
    if fault == nil || (isWorse && fault?.kind != .unsupportedByProvider) { fault = failure }
  }

  private static func scope(of url: URLParts, _ response: HTTPResponse) -> NetworkScope {
    max(NetworkScope(url), response.scope ?? .publicNetwork)
  }

  private func nothing(at url: URLParts) -> OAuthFailure {
    let place = redirect?.redirectPlace(hiding: .none)
    let why = place.map { "it redirects to \($0), which is not followed" } ?? "it is neither an issuer nor a resource that names one"
    return OAuthFailure(
      .unsupportedByProvider, "no metadata is published for \(url.shown): \(why); describe the provider by its endpoints",
      details: [redirect?.redirectTarget(hiding: .none)].compactMap(\.self))
  }
}
