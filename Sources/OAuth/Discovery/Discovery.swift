import HTTP
import Jansson
import OAuthCore
import Platform
import Synchronization

/// Finds out what a URL is: an issuer, or a protected resource that names one (RFC 8414; OpenID Connect Discovery 1.0; RFC 9728).
package struct Discovery: Sendable {
  /// The provider's description, its lifetime in seconds, and the scope of the server that published it.
  typealias Found = (description: [JSON.Member], lifetime: Int, scope: NetworkScope)

  private let http: any HTTPClient
  private let url: URLParts
  /// The fault to report if nothing is found. Order: a demand that this program does not support, then a temporary fault, then the first fault.
  private var fault: OAuthFailure?
  /// The target of the first redirect. None is followed: another server could answer for this one.
  private var redirectTarget: JSON.Member?
  /// Fetched documents. No place is asked twice.
  private var fetched: [String: HTTPResponse?] = [:]
  /// The narrowest scope of the answers of the URL's own server. A name that once resolves to this machine may not name places on it.
  private var answered: NetworkScope?
  /// The scope of that server, which must not name a URL of a narrower scope.
  private var scope: NetworkScope { answered ?? NetworkScope(url) }

  init(_ url: URLParts, http: any HTTPClient) {
    self.url = url
    self.http = http
  }

  /// Throws a network failure such as `networkFailure` if the host cannot be reached, and `authorizationServerError` if it fails.
  /// Throws `responseUntrusted` if its metadata is not trustworthy.
  /// Throws `unsupportedByProvider` if it publishes nothing or demands what this program lacks.
  mutating func run() async throws -> Found {
    // The metadata of a resource with exactly this URL is more specific than an issuer's: it says where its tokens are valid (RFC 9728, 3.3).
    let isResource = try await isNamedAsResource()
    if !isResource, let found = try await server(url) { return found }
    if let (resource, scopes) = try await resource() {
      if resource.demandsDPoP { throw OAuthFailure.unsupported("\(url.host) \(MetadataDocument.demandsDPoP)") }
      // From here on only the server counts. It is not a fault that the resource is not an issuer itself.
      fault = nil
      // The client chooses the server (RFC 9728, 7.6). More than three would take too long.
      for issuer in resource.servers.prefix(3) {
        guard let found = try await server(issuer) else { continue }
        return (resource.description(over: found.description, challenged: scopes), found.lifetime, min(scope, found.scope))
      }
      throw fault ?? nothing(at: resource.servers[0])
    }
    if let fault, fault.kind == .unsupportedByProvider { throw fault }
    if let root = try? URLParts(url.origin), !MetadataDocument.WellKnown.isRoot(url), let found = try await server(root) {
      // Before resource metadata existed, the Model Context Protocol treated the server's own host as its authorization server.
      return (found.description + [.init("apiBase", .string(url.description))], found.lifetime, found.scope)
    }
    throw fault ?? nothing(at: url)
  }

  private mutating func isNamedAsResource() async throws -> Bool {
    guard let response = try await document(at: MetadataDocument.WellKnown.resource(url)[0]) else { return false }
    // A fault in the document is reported only when the document is needed.
    guard let resource = try? MetadataDocument.Resource(response.body, of: url) else { return false }
    return resource.isExactly(url)
  }

  /// Merges the issuer's documents: the first one wins, and members that only a later one has are added.
  private mutating func server(_ issuer: URLParts) async throws -> Found? {
    var first: MetadataDocument?
    var found: Found?
    for (index, places) in MetadataDocument.WellKnown.server(issuer).enumerated() where index < 2 || found == nil {
      for place in places {
        guard let response = try await document(at: place, isNeeded: found == nil) else { continue }
        do throws(OAuthFailure) {
          let own = try MetadataDocument(response.body, of: issuer)
          try own.checkedIssuer(issuer)
          let merged = try first?.filled(from: own) ?? own
          first = first ?? own
          let description = try merged.serverDescription(of: issuer)
          let lifetime = min(found?.lifetime ?? .max, CacheLifetime.of(response))
          found = (description, lifetime, min(found?.scope ?? .thisMachine, Self.scope(of: issuer, response)))
          break
        } catch {
          note(error)
        }
      }
    }
    return found
  }

  /// Returns the resource's metadata and the scopes that its challenge requests (RFC 9728, 5.1; RFC 6750, 3).
  private mutating func resource() async throws -> (MetadataDocument.Resource, scopes: [String]?)? {
    let challenge = try await challenge()
    for place in [challenge.metadata].compactMap(\.self) + MetadataDocument.WellKnown.resource(url) {
      guard let response = try await document(at: place) else { continue }
      do throws(OAuthFailure) {
        return (try MetadataDocument.Resource(response.body, of: url), challenge.scopes)
      } catch {
        note(error)
      }
    }
    return nil
  }

  /// Returns what the resource answers to a request without a token.
  private mutating func challenge() async throws -> (metadata: String?, scopes: [String]?) {
    // The resource may not support such a request. Its metadata is then elsewhere.
    guard let response = try await response(HTTPRequest(method: "GET", url: url.description), isNeeded: false), response.status == 401
    else {
      return (nil, nil)
    }
    let parameters = response.headers.filter { $0.isNamed("www-authenticate") }.flatMap { header in
      HTTPChallenge.parameters(header.value, scheme: "bearer").map { ($0.name.lowercased(), String(decoding: $0.value, as: UTF8.self)) }
    }
    let metadata = parameters.first { $0.0 == "resource_metadata" }?.1
    if let metadata, let problem = MetadataDocument.problem(ofPlace: metadata, named: url) {
      note(.untrusted("\(url.host) names a wrong metadata URL: it \(problem)"))
      return (nil, nil)
    }
    let scopes = parameters.first { $0.0 == "scope" }?.1.split(separator: " ").map(String.init)
    return (metadata, scopes)
  }

  /// Returns nil if there is no document. A page that the server shows for every URL is not a document.
  private mutating func document(at place: String, isNeeded: Bool = true) async throws -> HTTPResponse? {
    if let response = fetched[place] { return response }
    let response = try await fetch(place, isNeeded: isNeeded)
    fetched[place] = .some(response)
    return response
  }

  private mutating func fetch(_ place: String, isNeeded: Bool) async throws -> HTTPResponse? {
    let request = HTTPRequest(method: "GET", url: place, headers: [HTTPHeader("Accept", "application/json")])
    guard var response = try await response(request, isNeeded: isNeeded) else { return nil }
    response.body = response.trimmedBody
    let isObject = response.body.first == UInt8(ascii: "{")
    if response.status == 200 { return isObject ? response : nil }
    redirectTarget = redirectTarget ?? response.redirectTarget(hiding: .none)
    if response.status == 429 || response.status >= 500 { note(Self.failed(response.status, at: (try? URLParts(place)) ?? url)) }
    return nil
  }

  /// Returns nil if the response was incomplete: a resource may send a stream without an end.
  private mutating func response(_ request: HTTPRequest, isNeeded: Bool = true) async throws -> HTTPResponse? {
    var request = request
    // Short, because the user is waiting.
    request.timeout = 10
    // Ten times the longest document that a server publishes.
    request.maxBytes = 1 << 20
    let place = try? URLParts(request.url)
    let isOwn = place?.host == url.host
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

  private mutating func note(_ failure: OAuthFailure) {
    let isWorse = failure.kind == .unsupportedByProvider || (failure.isRetryable && fault?.isRetryable == false)
    if fault == nil || (isWorse && fault?.kind != .unsupportedByProvider) { fault = failure }
  }

  private static func scope(of url: URLParts, _ response: HTTPResponse) -> NetworkScope {
    max(NetworkScope(url), response.scope ?? .publicNetwork)
  }

  private static func failed(_ status: Int, at url: URLParts) -> OAuthFailure {
    OAuthFailure(
      .authorizationServerError, "\(url.host) answered the request for its metadata with status \(status)",
      details: [.init("httpStatus", .integer(status))], isRetryable: true)
  }

  private func nothing(at url: URLParts) -> OAuthFailure {
    OAuthFailure(
      .unsupportedByProvider,
      "no metadata is published for \(url.shown): it is neither an issuer nor a resource that names one; describe the provider by its endpoints",
      details: [redirectTarget].compactMap(\.self))
  }
}

extension Discovery {
  /// Metadata that this process fetched from discovery URLs. Stored grants never fill it, because it decides where secrets are sent.
  package final class Cache: Sendable {
    private struct State {
      /// By URL; fresh until a Unix second.
      var publications: [String: (publication: Publication, until: Int)] = [:]
      var revision = 0
    }

    private let state = Mutex(State())
    private let fetches = SingleFlight<String, Void>()

    package init() {}

    /// A number that changes with every addition.
    var revision: Int { state.withLock { $0.revision } }

    /// Returns the publication regardless of its age; nil if there is none.
    func publication(at url: String) -> Publication? { state.withLock { $0.publications[url]?.publication } }

    func isFresh(_ url: String, at now: Int) -> Bool { state.withLock { ($0.publications[url]?.until ?? 0) > now } }

    /// Stores what was fetched from `url`. It is fresh until `until`, in Unix seconds.
    func add(_ description: [JSON.Member], of url: String, until: Int, scope: NetworkScope = .thisMachine) {
      state.withLock { state in
        state.publications[url] = (Publication(url: url, description: description, scope: scope), until)
        state.revision += 1
      }
    }

    /// Fetches the URL's metadata, once for all concurrent callers. Cancelling one caller does not affect the others.
    func discover(_ url: URLParts, named name: String, http: any HTTPClient, clock: Clock) async throws {
      try await fetches.value(name) { [self] in
        var discovery = Discovery(url, http: http)
        let found = try await discovery.run()
        add(found.description, of: name, until: clock.now + found.lifetime, scope: found.scope)
      }
    }
  }
}
