/// Chooses the endpoint for a request.
struct Router: Sendable {
  let site: Site

  /// The paths of RFC 8414 §3 and OpenID Connect Discovery 1.0 §4.
  private static let wellKnown = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]

  func answer(_ request: Request) -> Response {
    let path = request.path
    for prefix in ["/api/", "/demo/"] where path.hasPrefix(prefix) {
      let rest = path.dropFirst(prefix.count)
      return prefix == "/api/" ? API(request: request, site: site, path: rest).answer() : control(request, rest)
    }
    if path == "/" {
      return .html(Pages.message(title: "demo-provider", text: "An authorization server for trying things out. Its issuer: \(site.origin)"))
    }
    site.journal.record(request)
    if path.hasPrefix("/elsewhere/") {
      return .json(["access_token": "demo-at-from-elsewhere", "token_type": "Bearer"])
    }
    do throws(Modes.Unknown) {
      return try endpoint(Self.call(request, site: site))
    } catch {
      return .notFound("no mode is called \(error.name)")
    }
  }

  /// Removes `/m/<modes>` from the path. It may be at the start or, as in RFC 8414 §3.1, after the well-known part.
  private static func call(_ request: Request, site: Site) throws(Modes.Unknown) -> Call {
    var path = request.path[...]
    var wellKnown = ""
    for prefix in Self.wellKnown where path.hasPrefix(prefix + "/m/") {
      wellKnown = prefix
      path = path.dropFirst(prefix.count)
    }
    guard path.hasPrefix("/m/") else { return Call(request: request, site: site, path: request.path, modes: .none) }
    let rest = path.dropFirst(3)
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    return Call(request: request, site: site, path: wellKnown + rest[end...], modes: try Modes(rest[..<end]))
  }

  private func endpoint(_ call: Call) -> Response {
    switch call.path {
    case "/authorize": AuthorizeEndpoint(call: call).answer()
    case "/authorize/decision": AuthorizeEndpoint(call: call).answerDecision()
    case "/token": TokenEndpoint(call: call).answer()
    case "/revoke": RevocationEndpoint(call: call).answer()
    case "/introspect": IntrospectionEndpoint(call: call).answer()
    case "/userinfo": call.answer(for: .userinfo, API(request: call.request, site: call.site, path: "userinfo").answer)
    case let path where Self.wellKnown.contains(path): call.answer(for: .metadata) { .json(Metadata(call: call).json) }
    default: .notFound("nothing is at \(call.path)")
    }
  }

  /// Answers a test's commands to the server itself.
  private func control(_ request: Request, _ path: Substring) -> Response {
    switch path {
    case "log":
      return .json(site.journal.json)
    case "expire" where request.method == "POST":
      site.grants.expireAccessTokens()
    case "reset" where request.method == "POST":
      site.grants.reset()
      site.journal.reset()
    case "expire", "reset":
      return .methodNotAllowed(allow: "POST")
    default:
      return .notFound("nothing is at \(request.path)")
    }
    return .json([:])
  }
}
