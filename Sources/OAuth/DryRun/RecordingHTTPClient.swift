import HTTP
import OAuthCore
import Platform
import Synchronization

/// A network that sends nothing. It records each request and answers as a working provider would, with placeholders for tokens.
final class RecordingHTTPClient: HTTPClient {
  private let endpoints: [(name: String, url: URLParts)]
  private let sent = Mutex<[HTTPRequest]>([])

  init(provider: Provider) {
    let named = [
      ("requestToken", provider.oauth1.requestTokenEndpoint), ("accessToken", provider.oauth1.accessTokenEndpoint),
      ("token", provider.tokenEndpoint), ("jwks", provider.jwksUri), ("pushedAuthorization", provider.pushedAuthorizationRequestEndpoint),
      ("token", provider.mtlsEndpoints["tokenEndpoint"]),
      ("pushedAuthorization", provider.mtlsEndpoints["pushedAuthorizationRequestEndpoint"]),
    ]
    endpoints = named.compactMap { name, url in url.flatMap { try? URLParts($0) }.map { (name, $0) } }
  }

  var requests: [HTTPRequest] { sent.withLock { $0 } }

  private static let verification = ("openid.mode", "check_authentication")

  /// Returns the endpoint's name of a request, regardless of the query.
  /// An OpenID provider has one endpoint; the request's parameters tell its uses apart.
  func name(of request: HTTPRequest) -> String {
    guard let url = try? URLParts(request.url) else { return "other" }
    if case .bytes(let form) = request.body, FormEncoding.decodeLeniently(form).contains(where: { $0 == Self.verification }) {
      return "checkAuthentication"
    }
    return endpoints.first { $0.url.host == url.host && $0.url.port == url.port && $0.url.path == url.path }?.name ?? "other"
  }

  package func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    sent.withLock { $0.append(request) }
    let text: String
    switch name(of: request) {
    case "requestToken": text = "oauth_token=\(DryRun.Placeholder.requestToken)&oauth_token_secret=x&oauth_callback_confirmed=true"
    case "accessToken": text = "oauth_token=\(DryRun.Placeholder.accessToken)&oauth_token_secret=x"
    case "token": text = #"{"access_token":"\#(DryRun.Placeholder.accessToken)","token_type":"Bearer"}"#
    case "checkAuthentication": text = "ns:\(OpenIDMessage.namespace)\nis_valid:true\n"
    case "pushedAuthorization": text = #"{"request_uri":"\#(DryRun.Placeholder.requestUri)"}"#
    case "jwks": text = #"{"keys":[]}"#
    default: return HTTPResponse(status: 404, body: [])
    }
    return HTTPResponse(status: 200, headers: [HTTPHeader("Content-Type", "text/plain")], body: Array(text.utf8))
  }
}

extension RecordingHTTPClient {
  /// Returns a response as an OpenID 2.0 provider would send it, with placeholders for its values.
  /// It makes the requests after a response visible.
  ///
  /// `asked` are the parameters of the page that the user would open; `now` is in Unix seconds.
  static func assertion(_ provider: Provider, asked: [RedirectParameter], at now: Int) -> [RedirectParameter] {
    typealias Placeholder = DryRun.Placeholder
    // A nonce begins with the current second (10.1).
    let (date, time) = Clock.utc(now)
    let returnTo = asked.first { $0.name == "openid.return_to" }?.value ?? ""
    var signed = [
      ("op_endpoint", provider.openid.openidEndpoint ?? ""), ("return_to", returnTo),
      ("response_nonce", "\(date)T\(time)ZNONCE"), ("assoc_handle", Placeholder.associationHandle),
    ]
    if provider.openid.openidDialect == .standard {
      let claimed = (provider.openid.openidClaimedIds ?? "") + Placeholder.user
      signed += [("claimed_id", claimed), ("identity", claimed)]
      signed.append(("ns", OpenIDMessage.namespace))
    }
    let others = [("mode", "id_res"), ("signed", signed.map(\.0).joined(separator: ",")), ("sig", Placeholder.signature)]
    // The parameters of return_to come back together with the response (11.1).
    let own = (try? URLParts(returnTo))?.query.map { FormEncoding.decodeLeniently($0) } ?? []
    return (signed + others).map { RedirectParameter(name: "openid." + $0.0, value: $0.1) }
      + own.map { RedirectParameter(name: $0.0, value: $0.1) }
  }
}
