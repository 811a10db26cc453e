import HTTP
import Jansson
import OAuthCore
import Platform
import Synchronization

/// Shows a request without its credentials: the client's secret, a verifier, a signature.
struct RequestMask: Sendable {
  /// Values that must not be shown anywhere.
  private let hidden: Redaction

  /// The header that contains a signature, if any.
  private let signature: String?

  /// Whether requests for tokens and with them have a proof of a key.
  private let isProven: Bool

  /// The headers of the description whose values are secrets, in lower case.
  private let headerNames: Set<String>

  /// `drawn` are secrets that were created for this sign-in.
  init(of plan: AuthorizationPlan, drawn: [String] = []) {
    let provider = plan.provider
    let parameters = plan.request.parameters.pairs.filter { SecretName.isParameter($0.name) }.map(\.value)
    hidden = Redaction(provider.source.writtenSecrets + (drawn + parameters).map { Secret($0) })
    isProven = plan.dpopKey != nil
    signature = provider.token.requestSignature?.signature
    let headers = provider.token.tokenHeaders.pairs + provider.api.apiHeaders.pairs
    headerNames = Set(headers.map { $0.name.lowercased() }.filter(SecretName.isHeader))
  }

  func step(_ name: String, _ request: HTTPRequest) -> DryRun.Step {
    var body: String?
    if case .bytes(let bytes) = request.body, !bytes.isEmpty { body = shown(String(decoding: bytes, as: UTF8.self)) }
    let isUse = isProven && ["token", "refresh", "longLived", "callAPI"].contains(name) && !request.hasHeader("dpop")
    let headers = (request.headers + (isUse ? [HTTPHeader("DPoP", "")] : [])).map { header in
      let isSecret = header.isNamed("dpop") || header.name == signature || headerNames.contains(header.name.lowercased())
      if isSecret { return (header.name, SecretName.mark) }
      return (header.name, header.value.hasPrefix("Basic ") ? "Basic \(SecretName.mark)" : shown(header.value))
    }
    return DryRun.Step(
      name: name, method: request.method, url: shown(request.url), headers: NamedValues(headers), body: body,
      baseString: request.baseString)
  }

  func shown(_ text: String) -> String { Self.withoutSignature(hidden.hide(in: SecretName.withoutUserInfo(text))) }

  /// Masks each of OAuth 1.0a's signatures (RFC 5849, 3.5). It is quoted in a header; in a form or query it ends at the next parameter.
  private static func withoutSignature(_ text: String) -> String {
    let parts = text.split(separator: "oauth_signature=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return text }
    let isQuoted = parts[1].first == "\""
    let value = isQuoted ? parts[1].dropFirst() : parts[1]
    let end = value.firstIndex(of: isQuoted ? "\"" : "&") ?? value.endIndex
    return parts[0] + "oauth_signature=" + (isQuoted ? "\"" : "") + SecretName.mark + withoutSignature(String(value[end...]))
  }
}

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
