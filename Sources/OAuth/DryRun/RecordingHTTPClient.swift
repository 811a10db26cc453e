import OAuthCore
import Synchronization

/// A network that sends nothing. It records each request and answers as a working provider would, with placeholders for tokens.
final class RecordingHTTPClient: HTTPClient {
  private let endpoints: [(name: String, url: URLParts)]
  private let sent = Mutex<[HTTPRequest]>([])

  init(provider: Provider) {
    let named = [
      ("requestToken", provider.oauth1.requestTokenEndpoint), ("accessToken", provider.oauth1.accessTokenEndpoint),
      ("token", provider.tokenEndpoint), ("jwks", provider.jwksUri), ("pushedAuthorization", provider.pushedAuthorizationRequestEndpoint),
    ]
    endpoints = named.compactMap { name, url in url.flatMap { try? URLParts($0) }.map { (name, $0) } }
  }

  var requests: [HTTPRequest] { sent.withLock { $0 } }

  /// The endpoint that discovery of an OpenID identifier returns. The domain `.invalid` is never assigned (RFC 2606).
  static let openidEndpoint = "https://openid-provider.invalid/"

  private static let verification = ("openid.mode", "check_authentication")

  /// Returns the endpoint's name of a request, regardless of the query.
  /// An OpenID provider has one endpoint; the request's parameters tell its uses apart.
  func name(of request: HTTPRequest) -> String {
    guard let url = try? URLParts(request.url) else { return "other" }
    if case .bytes(let form) = request.body, FormEncoding.decodeLeniently(form).contains(where: { $0 == Self.verification }) {
      return "checkAuthentication"
    }
    return endpoints.first { $0.url.host == url.host && $0.url.port == url.port && $0.url.path == url.path }?.name
      ?? (request.method == "GET" ? "discovery" : "other")
  }

  package func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    sent.withLock { $0.append(request) }
    let text: String
    switch name(of: request) {
    case "requestToken":
      text = "oauth_token=\(DryRun.Placeholder.requestToken)&oauth_token_secret=x&oauth_callback_confirmed=true"
    case "accessToken": text = "oauth_token=\(DryRun.Placeholder.accessToken)&oauth_token_secret=x"
    case "token": text = #"{"access_token":"\#(DryRun.Placeholder.accessToken)","token_type":"Bearer"}"#
    case "discovery" where request.headers.contains { $0.name == "Accept" && $0.value.hasPrefix("application/xrds+xml") }: text = Self.xrds
    case "checkAuthentication": text = "ns:\(OpenIDMessage.namespace)\nis_valid:true\n"
    case "pushedAuthorization": text = #"{"request_uri":"\#(DryRun.Placeholder.requestUri)"}"#
    case "jwks": text = #"{"keys":[]}"#
    default: return HTTPResponse(status: 404, body: [])
    }
    let type = text == Self.xrds ? "application/xrds+xml" : "text/plain"
    return HTTPResponse(status: 200, headers: [HTTPHeader("Content-Type", type)], body: Array(text.utf8))
  }

  /// The document that discovery of an OpenID identifier returns.
  private static let xrds =
    "<x:XRDS xmlns:x='xri://$xrds' xmlns='xri://$xrd*($v*2.0)'><XRD><Service><Type>http://specs.openid.net/auth/2.0/signon</Type>"
    + "<URI>\(openidEndpoint)</URI></Service></XRD></x:XRDS>"
}
