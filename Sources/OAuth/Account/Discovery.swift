import Jansson

/// Finds out what a URL stands for: an issuer, or a protected resource that names one (RFC 8414; OpenID Connect Discovery 1.0; RFC 9728).
struct Discovery: Sendable {
  /// The description of a provider, and for how many seconds it is good.
  typealias Found = (description: [JSON.Member], lifetime: Int)

  private let http: any HTTPClient
  private let url: URLParts
  /// The first thing that was wrong, told where nothing is found; one that may pass comes before others.
  private var fault: OAuthFailure?

  init(_ url: URLParts, http: any HTTPClient) {
    self.url = url
    self.http = http
  }

  /// Throws `networkFailure` and its kin when the host cannot be reached, `authorizationServerError` when it fails, `responseUntrusted` when what it says
  /// cannot be believed, and `unsupportedByProvider` when it says nothing.
  mutating func run() async throws -> Found {
    if let found = try await server(url) { return (found.description, found.lifetime) }
    if let (resource, scopes) = try await resource() {
      // From here on it is the server that counts: that the resource is no issuer itself was no fault.
      fault = nil
      // Which one is the client's choice (RFC 9728, 7.6); more than a few would be waited for too long.
      for issuer in resource.servers.prefix(3) {
        guard let found = try await server(issuer) else { continue }
        return (resource.description(over: found.description, challenged: scopes), found.lifetime)
      }
      throw fault ?? Self.nothing(at: resource.servers[0])
    }
    if let root = try? URLParts(url.origin), !WellKnown.isRoot(url), let found = try await server(root) {
      // Before there was metadata of resources, the Model Context Protocol had the server's own host be its authorization server.
      return (found.description + [.init("apiBase", .string(url.description))], found.lifetime)
    }
    throw fault ?? Self.nothing(at: url)
  }

  private mutating func server(_ issuer: URLParts) async throws -> Found? {
    for place in WellKnown.server(issuer) {
      guard let response = try await document(at: place) else { continue }
      do throws(OAuthFailure) {
        return (try ServerMetadata(response.body, of: issuer).description, IssuerKeys.lifetime(response))
      } catch {
        note(error)
      }
    }
    return nil
  }

  /// The resource's metadata, and the scopes that its challenge asks for (RFC 9728, 5.1; RFC 6750, 3).
  private mutating func resource() async throws -> (ResourceMetadata, scopes: [String]?)? {
    let challenge = try await challenge()
    for place in [challenge.metadata].compactMap(\.self) + WellKnown.resource(url) {
      guard let response = try await document(at: place) else { continue }
      do throws(OAuthFailure) {
        return (try ResourceMetadata(response.body, of: url), challenge.scopes)
      } catch {
        note(error)
      }
    }
    return nil
  }

  /// What the resource itself says to whoever comes without a token.
  private mutating func challenge() async throws -> (metadata: String?, scopes: [String]?) {
    // It may not be made to be asked in this way at all; its metadata stands elsewhere.
    guard let response = try await answer(HTTPRequest(method: "GET", url: url.description), isNeeded: false), response.status == 401 else {
      return (nil, nil)
    }
    let parameters = response.headers.filter { $0.isNamed("www-authenticate") }.flatMap { header in
      HTTPChallenge.parameters(header.value, scheme: "bearer").map { ($0.name.lowercased(), String(decoding: $0.value, as: UTF8.self)) }
    }
    let metadata = parameters.first { $0.0 == "resource_metadata" }?.1
    if let metadata, let problem = MetadataDocument.problem(ofPlace: metadata, named: url) {
      note(.untrusted("\(url.host) says that its metadata is at a place that \(problem)"))
      return (nil, nil)
    }
    let scopes = parameters.first { $0.0 == "scope" }?.1.split(separator: " ").map(String.init)
    return (metadata, scopes)
  }

  /// nil where there is none; a page that is shown whatever is asked for is none either.
  private mutating func document(at place: String) async throws -> HTTPResponse? {
    guard var response = try await answer(HTTPRequest(method: "GET", url: place, headers: [HTTPHeader("Accept", "application/json")]))
    else { return nil }
    // A byte order mark is no part of JSON (RFC 8259, 8.1), yet some servers send it.
    if response.body.starts(with: [0xEF, 0xBB, 0xBF]) { response.body.removeFirst(3) }
    let isObject = response.body.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
    if response.status == 200 { return isObject ? response : nil }
    if response.status == 429 || response.status >= 500 { note(Self.failed(response.status, at: (try? URLParts(place)) ?? url)) }
    return nil
  }

  /// nil where the answer did not come whole: a resource may begin to tell something that has no end.
  private mutating func answer(_ request: HTTPRequest, isNeeded: Bool = true) async throws -> HTTPResponse? {
    var request = request
    // Somebody waits in front of a page meanwhile.
    request.timeout = 10
    // Ten times what the longest known has.
    request.maxBytes = 1 << 20
    do throws(HTTPFailure) {
      return try await http.send(request)
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
    if fault == nil || (failure.isRetryable && fault?.isRetryable == false) { fault = failure }
  }

  private static func failed(_ status: Int, at url: URLParts) -> OAuthFailure {
    OAuthFailure(
      .authorizationServerError, "\(url.host) answered with status \(status) when it was asked who signs people in",
      details: [.init("httpStatus", .integer(status))], isRetryable: true)
  }

  private static func nothing(at url: URLParts) -> OAuthFailure {
    .unsupported(
      "nothing is published about \(url.shown): it is neither an issuer nor a resource that names one; describe it by its endpoints")
  }
}
