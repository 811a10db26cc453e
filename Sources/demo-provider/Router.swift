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
    let call = Call(request: request, site: site)
    return switch path {
    case "/authorize": AuthorizeEndpoint(call: call).answer()
    case "/authorize/decision": AuthorizeEndpoint(call: call).answerDecision()
    case "/token": TokenEndpoint(call: call).answer()
    case "/revoke": RevocationEndpoint(call: call).answer()
    case "/device_authorization": DeviceEndpoint(call: call).answerRequest()
    case "/device": DeviceEndpoint(call: call).answerPage()
    case "/jwks": .json(site.signer.keySet)
    case "/userinfo": API(request: request, site: site, path: "userinfo").answer()
    case let path where Self.wellKnown.contains(path): .json(Metadata(call: call).json)
    default: .notFound("nothing is at \(path)")
    }
  }
}
