import Jansson
import OAuthCore
import Plans

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
