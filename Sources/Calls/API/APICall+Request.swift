import Jansson
import OAuth
import OAuthCore
import Plans
import Platform
import Store

extension APICall {
  /// The request in the form that a grant's provider needs. A step-up or another token may bring a grant with other variables or hosts.
  struct Ready {
    let credential: RequestCredential
    /// Whether the grant was refreshed for it.
    let refreshed: Bool
    let hosts: AllowedHosts
    let url: URLParts
    /// Without the credential, which each sending adds.
    var request: HTTPRequest

    var grant: Grant { credential.grant }
    var resolved: Grant.DecodedDescription.Resolved { credential.resolved }
    /// Hides the credential in what the service says.
    var hidden: Redaction { Redaction([grant.accessToken, grant.tokenSecret].compactMap(\.self), provider: resolved.provider) }
  }

  /// Returns the account's grant with a valid token, another one than that of `rejected`, and with what the request needs beside the token.
  private func grant(insteadOf rejected: Grant? = nil, by deadline: Clock.Deadline) async throws -> Account.Outcome {
    var outcome =
      if let rejected {
        try await withinTimeout(deadline) { [self] in try await tokens.replaceRejected(rejected, requestID: request.requestID) }
      } else {
        try await tokens.grant(for: TokenUse(validity: request.validity), in: request.timeout, requestID: request.requestID)
      }
    // Only a signature needs the client's secret.
    let signs = outcome.grant.tokenSecret != nil
    if signs || outcome.grant.client.isCertificateConfigured {
      outcome.grant = try await withinTimeout(deadline) { [self, grant = outcome.grant] in
        signs ? try await accounts.credentials.withSecret(grant) : try await tokens.withCertificate(grant)
      }
    }
    if outcome.grant.provider["afterSignIn"] != nil, tokens.terms == nil {
      outcome.grant = try await withinTimeout(deadline) { [self, grant = outcome.grant] in
        await account.completed(grant, requestID: request.requestID)
      }
    }
    return outcome
  }

  private func check() throws {
    try request.check()
    try naming { try callLimits?.check(call: request.method, headers: request.headers.pairs.map(\.name)) }
  }

  /// Returns the request with the caller's headers alone.
  private func started(_ outcome: Account.Outcome) throws -> Ready {
    let resolved = try outcome.grant.resolved
    let own = request.endpoint.map { AllowedHosts(resolved.provider, and: $0) } ?? resolved.hosts
    let (url, password) = try naming { try target(resolved, own) }
    let headers = request.headers.pairs.map { HTTPHeader($0.name, $0.value) }
    var started = HTTPRequest(method: request.method, url: url.description, headers: headers)
    started.mayWait = true
    let credential = RequestCredential(
      grant: outcome.grant, resolved: resolved, dependencies: accounts.dependencies, userName: password?.userName)
    return Ready(credential: credential, refreshed: outcome.refreshed, hosts: password?.hosts ?? own, url: url, request: started)
  }

  /// Returns the request with its credential, for a client that sends it itself.
  package func authorized(body: String?) async throws -> HTTPRequest {
    try check()
    let ready = try started(await grant(by: accounts.clock.deadline(in: request.timeout)))
    var outgoing = ready.request
    outgoing.addHeaders(of: ready.resolved.provider)
    if let body { outgoing.body = .bytes(Array(body.utf8)) }
    return try await naming { [outgoing] in try ready.credential.applyOnce(to: outgoing, nonce: request.dpopNonce) }
  }

  /// Returns the request as it is sent, but for its credential.
  func prepared(insteadOf rejected: Grant? = nil, by deadline: Clock.Deadline) async throws -> Ready {
    try check()
    let ready = try started(await grant(insteadOf: rejected, by: deadline))
    var content: Content?
    if let body = try request.body ?? parametersInBody(ready.resolved.provider.api.parameterFormat) { content = try await encoded(body) }
    var place: String?
    if let path = request.saveTo { place = try await places([path])[0] }
    return prepared(ready, content, savedTo: place)
  }

  private func prepared(_ ready: Ready, _ content: Content?, savedTo place: String?) -> Ready {
    var (ready, outgoing) = (ready, ready.request)
    let options = ready.resolved.provider.api
    // Only the account's credential may be sent. A header of the caller would conflict with it.
    let taken = options.apiCredential.header?.lowercased()
    outgoing.headers.removeAll { $0.isNamed("authorization") || taken.map($0.isNamed) == true }
    outgoing.addHeaders(of: ready.resolved.provider)
    if let content {
      outgoing.body = content.body
      if !outgoing.hasHeader("content-type") { outgoing.headers.append(HTTPHeader("Content-Type", content.contentType)) }
    }
    if [.json, .results].contains(request.as), !outgoing.hasHeader("accept") {
      outgoing.headers.append(HTTPHeader("Accept", "application/json"))
    }
    outgoing.isSentOnce = request.retries == false
    // The caller chose the host of a whole URL, so the scope limit doesn't apply.
    let isRelative = (try? URLReference(request.url))?.scheme == nil
    if request.endpoint != nil || isRelative { outgoing.scopeLimit = ready.resolved.provider.scopeLimit(of: outgoing.url) }
    outgoing.dropsRedirectBodies = true
    if let passing = request.passing { return ready.passing(outgoing, passing) }
    if let maxBytes = request.maxBytes { (outgoing.maxBytes, outgoing.sinkLimit) = (maxBytes, maxBytes) }
    outgoing.filesRoot = limits.files?.descriptor
    if let place {
      let resource = request.resumes ? resource(ready, outgoing.headers) : nil
      outgoing.sink = .file(path: place, overwrites: request.overwrites, resource: resource)
    } else if request.streams {
      outgoing.sink = .stream { [self] in onProgress(.piece(offset: $0, bytes: $1)) }
      outgoing.mayWait = false
    }
    // 64 KiB: far more than any service's error needs, and little memory.
    if options.hasErrorsInSuccesses { outgoing.peekLimit = 64 << 10 }
    outgoing.mayReceive = { [self] in onProgress(.readiness(bytes: $0)) }
    outgoing.progress = { [self] in _ = onProgress(.progress(sent: $0, received: $1, total: $2)) }
    ready.request = outgoing
    return ready
  }

  /// Names what a part of a download belongs to: the same request of the same login.
  private func resource(_ ready: Ready, _ headers: [HTTPHeader]) -> String {
    let headers = headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    return "\(request.account)\n\(ready.grant.login ?? ready.grant.subject ?? "")\n\(ready.url)\n\(headers)"
  }

  private typealias Content = (body: HTTPRequest.Body, contentType: String)

  private func encoded(_ body: APIBody) async throws -> Content {
    var body = body
    let files = body.files
    body.replaceFiles(by: try await places(files))
    let boundary = "oauth-stdio-" + Base64.encodeURL(accounts.dependencies.random(12))
    let encode = { @Sendable [body, root = limits.files?.descriptor] () throws(OAuthFailure) in
      try body.encode(boundary: boundary, below: root)
    }
    // Only files block.
    return try await naming { try await files.isEmpty ? encode() : Blocking.run(encode) }
  }

  /// Runs `work`, such as getting a new token, within the call's time.
  func withinTimeout<T: Sendable>(_ deadline: Clock.Deadline, _ work: @escaping @Sendable () async throws -> T) async throws -> T {
    try await accounts.withinTimeout(request.account, deadline.left, of: deadline.seconds, work)
  }

  /// Returns the result of `work`. Its failures name the account, or the param that cannot be signed: `oauth_…` in a query, or a form in a file.
  func naming<T>(_ work: () async throws -> T) async throws -> T {
    do { return try await work() } catch let failure as OAuthFailure { throw named(failure) }
  }

  private func naming<T>(_ work: () throws -> T) throws -> T {
    do { return try work() } catch let failure as OAuthFailure { throw named(failure) }
  }

  private func named(_ failure: OAuthFailure) -> any Error {
    guard failure.kind == .configurationInvalid, case .string(let path)? = failure["path"], ["/url", "/body"].contains(path) else {
      return failure.of(request.account)
    }
    return FieldError(path, "cannot be signed: \(failure.message)")
  }
}

// MARK: Where the request goes, and its parameters
extension APICall {
  private var limits: Limits { accounts.dependencies.limits }

  /// An endpoint of the provider is not the client's choice: the limits on calls also forbid the client to describe a provider.
  var callLimits: Limits? { request.endpoint == nil ? limits : nil }

  /// Returns the URL of the request. The token may be sent there.
  private func target(
    _ resolved: Grant.DecodedDescription.Resolved, _ own: AllowedHosts
  ) throws -> (URLParts, APIRequest.Passing.Password?) {
    let url = try target(resolved)
    let password = request.passing?.password(at: url, resolved.provider, own)
    let hosts = password?.hosts ?? own
    guard url.hasSafeScheme else { throw OAuthFailure.notAllowed(url, "only https is, or http on this machine", hosts) }
    guard hosts.allows(url) else {
      throw OAuthFailure.notAllowed(url, "it is not one of the account's hosts", hosts).with(\.advice, .apiHosts)
    }
    try callLimits?.check(call: request.method, to: url)
    return (url, password)
  }

  private func target(_ resolved: Grant.DecodedDescription.Resolved) throws -> URLParts {
    let url: URLParts
    do {
      // An apiBase without its variables has no base, and is reported below.
      if let passing = request.passing, passing.host != nil || resolved.base != nil || resolved.provider.api.apiBase == nil {
        url = try passing.url(request.url, resolved.provider.api)
      } else {
        url = try resolved.base?.resolve(request.url, resolved.provider.api.apiPathJoin) ?? URLParts(request.url)
      }
    } catch let failure as OAuthFailure {
      throw failure
    } catch {
      // An imported grant may lack variables that a sign-in would have stored.
      if let unfilled = resolved.provider.api.apiBase.flatMap({ Template($0).names.first }) {
        throw OAuthFailure(
          .configurationInvalid,
          "the account has no \(unfilled), which the provider's apiBase needs: sign in again, or give an absolute URL",
          details: [.init("path", "/provider/apiBase")])
      }
      throw FieldError(
        "/url", resolved.provider.api.apiBase == nil ? "must be an absolute URL, because the provider has no apiBase" : "is not a URL")
    }
    guard url.scheme == "https" || url.scheme == "http" else { throw FieldError("/url", "must be an https URL") }
    if url.userInfo != nil { throw FieldError("/url", "must not contain a user name") }
    let query = request.query.pairs + (parametersGoInBody ? [] : try request.scalarParameters)
    var target = url.appendingQuery(query.flatMap { pair in pair.value.values.map { (pair.name, $0) } })
    target.fragment = nil
    return target
  }

  /// Returns where the files are. Rejects files outside the folder that a limit allows.
  private func places(_ paths: [String]) async throws -> [String] {
    guard !paths.isEmpty else { return [] }
    return try await naming {
      try limits.checkFiles()
      guard let folder = limits.files else { return paths }
      return try await Blocking.run { () throws(OAuthFailure) in try paths.map { path throws(OAuthFailure) in try folder.place(path) } }
    }
  }

  /// Whether parameters are sent in the body. Methods without a body send them in the query.
  private var parametersGoInBody: Bool { ["POST", "PUT", "PATCH"].contains(request.method.uppercased()) }

  private func parametersInBody(_ format: APIOptions.ParameterFormat) throws(FieldError) -> APIBody? {
    guard let parameters = request.parameters, parametersGoInBody else { return nil }
    return switch format {
    case .json: .json(.object(parameters.pairs.map { JSON.Member($0.name, $0.value) }))
    case .form: .form(NamedValues(try request.scalarParameters))
    }
  }
}

extension URLParts {
  /// Returns the URL that `text` means for an API with this base.
  func resolve(_ text: String, _ join: APIOptions.PathJoin) throws(URLFailure) -> URLParts {
    // Two slashes start a host (RFC 3986, 4.2).
    guard join == .underBase, text.utf8.starts(with: "/".utf8), !text.utf8.starts(with: "//".utf8) else { return try resolve(text) }
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex, !text.hasPrefix(path[...slash]) else { return try resolve(text) }
    return try resolve("." + text)
  }
}
