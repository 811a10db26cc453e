import Jansson

/// A request to the demo, and its answer.
struct Call: Sendable {
  let request: Request
  let site: Site

  /// The issuer identifier, which is also the prefix of the endpoints' URLs (RFC 8414 §2).
  var issuer: String { site.origin }

  /// The paths of the metadata are those of RFC 8414 §3 and OpenID Connect Discovery 1.0 §4.
  var answer: Response {
    let path = request.path
    if path.hasPrefix("/api/") { return api(path.dropFirst(5)) }
    return switch path {
    case "/": .message("demo-provider", "An authorization server for trying things out. Its issuer: \(issuer)")
    case "/authorize": authorization
    case "/authorize/decision": decision
    case "/token": token
    case "/revoke": revocation
    case "/device_authorization": deviceAuthorization
    case "/device": devicePage
    case "/jwks": .json(site.signer.keySet)
    case "/userinfo": api("userinfo")
    case "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration": .json(metadata)
    default: .notFound("nothing is at \(path)")
    }
  }

  /// Answers a POST of a client with a form.
  func post(_ work: (Fields) throws(OAuthError) -> Response) -> Response {
    guard request.method == "POST" else { return .methodNotAllowed(allow: "POST") }
    do throws(OAuthError) {
      let form = try request.checkedForm()
      try request.authenticateClient(form)
      return try work(form)
    } catch {
      return error.response
    }
  }
}
