import Jansson
import OAuthCore
import Platform

extension APICall {
  func allowedTarget(_ provider: Provider, _ hosts: AllowedHosts) throws -> URLParts {
    let url = try target(provider)
    guard url.hasSafeScheme else {
      throw Self.notAllowed(url, "only https is, or http on this machine", hosts).of(request.account)
    }
    guard hosts.allows(url) else {
      var failure = Self.notAllowed(url, "it is not one of the account's hosts", hosts)
      failure.advice = .apiHosts
      throw failure.of(request.account)
    }
    return url
  }

  private func target(_ provider: Provider) throws -> URLParts {
    let url: URLParts
    // An imported grant may lack variables that a sign-in would have stored.
    let unfilled = provider.api.apiBase.flatMap { Template($0).names.first }
    do {
      if let base = provider.api.apiBase, unfilled == nil {
        url = try URLParts(base).resolve(request.url, provider.api.apiPathJoin)
      } else {
        url = try URLParts(request.url)
      }
    } catch {
      if let unfilled {
        throw OAuthFailure(
          .configurationInvalid,
          "the account has no \(unfilled), which the provider's apiBase needs: sign in again, or give an absolute URL",
          details: [.init("path", "/provider/apiBase")], account: request.account)
      }
      throw FieldError(
        "/url", provider.api.apiBase == nil ? "must be an absolute URL, because the provider has no apiBase" : "is not a URL")
    }
    guard url.scheme == "https" || url.scheme == "http" else { throw FieldError("/url", "must be an https URL") }
    if url.userInfo != nil { throw FieldError("/url", "must not contain a user name") }
    let query = request.query.pairs.flatMap { pair in pair.value.values.map { (pair.name, $0) } }
    var target = url.appendingQuery(query + (try parametersInQuery))
    target.fragment = nil
    return target
  }

  func outgoing(_ url: URLParts, _ provider: Provider) async throws -> HTTPRequest {
    var headers = request.headers.pairs.map { HTTPHeader($0.name, $0.value) }
    func has(_ name: String) -> Bool { headers.contains { $0.name.lowercased() == name.lowercased() } }
    // Only the account's credential may be sent. A header of the caller would conflict with it.
    let taken = provider.api.apiCredential.header?.lowercased()
    headers.removeAll { $0.name.lowercased() == "authorization" || $0.name.lowercased() == taken }
    var outgoing = HTTPRequest(method: request.method, url: url.description, headers: headers)
    outgoing.addHeaders(of: provider)
    headers = outgoing.headers
    let root = limits.files?.descriptor
    if var body = try request.body ?? parametersInBody(provider.api.parameterFormat) {
      let files = body.files
      body.replaceFiles(by: try await places(files))
      let sent = body
      let boundary = "oauth-stdio-" + Base64.encodeURL(accounts.dependencies.random(12))
      do throws(OAuthFailure) {
        let encode = { @Sendable () throws(OAuthFailure) in try sent.encode(boundary: boundary, below: root) }
        // Only files block.
        let (content, type) = try await files.isEmpty ? encode() : Blocking.run(encode)
        outgoing.body = content
        if !has("Content-Type") { headers.append(HTTPHeader("Content-Type", type)) }
      } catch {
        throw error.of(request.account)
      }
    }
    if [.json, .results].contains(request.as), !has("Accept") { headers.append(HTTPHeader("Accept", "application/json")) }
    outgoing.headers = headers
    outgoing.isSentOnce = request.retries == false
    // The caller chose the host of a whole URL, so the scope limit doesn't apply.
    if request.endpoint != nil || (try? URLParts(request.url)) == nil { outgoing.scopeLimit = provider.scopeLimit(of: outgoing.url) }
    outgoing.dropsRedirectBodies = true
    if let maxBytes = request.maxBytes {
      outgoing.maxBytes = maxBytes
      outgoing.sinkLimit = maxBytes
    }
    outgoing.filesRoot = root
    if let path = request.saveTo {
      outgoing.sink = .file(path: try await places([path])[0], overwrites: request.overwrites)
    } else if request.streams {
      outgoing.sink = .stream { onProgress(.piece(offset: $0, bytes: $1)) }
    }
    // 64 KiB: far more than any service's error needs, and little memory.
    if provider.api.hasErrorsInSuccesses { outgoing.peekLimit = 64 << 10 }
    outgoing.mayReceive = { onProgress(.readiness) }
    outgoing.progress = { _ = onProgress(.progress(sent: $0, received: $1, total: $2)) }
    return outgoing
  }

  /// Returns where the files are. Rejects files outside the folder that a limit allows.
  func places(_ paths: [String]) async throws -> [String] {
    guard !paths.isEmpty else { return [] }
    do throws(OAuthFailure) { try limits.checkFiles() } catch { throw error.of(request.account) }
    guard let folder = limits.files else { return paths }
    do throws(OAuthFailure) {
      return try await Blocking.run { () throws(OAuthFailure) in try paths.map { path throws(OAuthFailure) in try folder.place(path) } }
    } catch {
      throw error.of(request.account)
    }
  }

  /// Whether parameters are sent in the body. Methods without a body send them in the query.
  private var parametersGoInBody: Bool { ["POST", "PUT", "PATCH"].contains(request.method.uppercased()) }

  private var parametersInQuery: [(String, String)] {
    get throws(FieldError) {
      parametersGoInBody ? [] : try request.scalarParameters.flatMap { pair in pair.value.values.map { (pair.name, $0) } }
    }
  }

  private func parametersInBody(_ format: APIOptions.ParameterFormat) throws(FieldError) -> APIBody? {
    guard let parameters = request.parameters, parametersGoInBody else { return nil }
    return switch format {
    case .json: .json(.object(parameters.pairs.map { JSON.Member($0.name, $0.value) }))
    case .form: .form(NamedValues(try request.scalarParameters))
    }
  }
}

extension HTTPRequest {
  /// Adds the headers that every call of the provider's API needs, without those whose {name} has no value. Existing headers take precedence.
  mutating func addHeaders(of provider: Provider) {
    for (name, value) in provider.api.apiHeaders.pairs
    where Template(value).names.isEmpty && !headers.contains(where: { $0.isNamed(name.lowercased()) }) {
      headers.append(HTTPHeader(name, value))
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
