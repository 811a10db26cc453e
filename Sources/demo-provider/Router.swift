/// Chooses the endpoint for a request.
struct Router: Sendable {
  let site: Site

  /// The paths of RFC 8414 §3 and OpenID Connect Discovery 1.0 §4.
  private static let wellKnown = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]

  func answer(_ request: Request) -> Response {
    let path = request.path
    if path == "/" {
      return .html(Pages.message(title: "demo-provider", text: "An authorization server for trying things out. Its issuer: \(site.origin)"))
    }
    if path.hasPrefix("/api/") { return API(request: request, site: site, path: path.dropFirst(5)).answer() }
    if path.hasPrefix("/elsewhere/") { return .json(["access_token": "demo-at-from-elsewhere", "token_type": "Bearer"]) }
    // The mode is at the start or, as in RFC 8414 §3.1, after the well-known part.
    let wellKnown = Self.wellKnown.first { path.hasPrefix($0 + "/m/") } ?? ""
    let suffix = path.dropFirst(wellKnown.count)
    guard suffix.hasPrefix("/m/") else { return endpoint(Call(request: request, site: site, path: path, mode: nil)) }
    let rest = suffix.dropFirst(3)
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    guard let mode = Mode(rest[..<end]) else { return .notFound("no mode is called \(rest[..<end])") }
    return endpoint(Call(request: request, site: site, path: wellKnown + rest[end...], mode: mode))
  }

  private func endpoint(_ call: Call) -> Response {
    switch call.path {
    case "/authorize": AuthorizeEndpoint(call: call).answer()
    case "/authorize/decision": AuthorizeEndpoint(call: call).answerDecision()
    case "/token": TokenEndpoint(call: call).answer()
    case "/revoke": RevocationEndpoint(call: call).answer()
    case "/device_authorization": DeviceEndpoint(call: call).answerRequest()
    case "/device": DeviceEndpoint(call: call).answerPage()
    case "/jwks": .json(call.site.signer.keySet)
    case "/userinfo": API(request: call.request, site: call.site, path: "userinfo").answer()
    case let path where Self.wellKnown.contains(path): .json(Metadata(call: call).json)
    default: .notFound("nothing is at \(call.path)")
    }
  }
}
