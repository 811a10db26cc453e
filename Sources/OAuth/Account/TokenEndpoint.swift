import Jansson

/// Asks the token endpoint and reads its answer; whatever goes wrong comes back without the secrets that were sent.
struct TokenEndpoint: Sendable {
  let provider: Provider
  let client: Client
  let http: any HTTPClient

  func ask(_ request: TokenRequest) async throws(OAuthFailure) -> TokenResponse {
    guard let httpRequest = request.httpRequest(provider, client) else {
      throw OAuthFailure(
        .configurationInvalid, "the provider has no token endpoint", details: [.init("path", "/provider/tokenEndpoint")])
    }
    let response: HTTPResponse
    do {
      response = try await http.send(httpRequest)
    } catch {
      throw OAuthFailure(error)
    }
    do throws(OAuthFailure) {
      return try TokenResponse(response)
    } catch {
      throw error.without(request.secrets + [client.secret].compactMap(\.self))
    }
  }
}

extension TokenRequest {
  var secrets: [Secret] {
    switch self {
    case .code(let code, _, let verifier): [code] + [verifier].compactMap(\.self)
    case .refresh(let token, _): [token]
    }
  }
}

extension OAuthFailure {
  /// The failure with every occurrence of `secrets` blotted out: some servers quote what they refuse.
  func without(_ secrets: [Secret]) -> OAuthFailure {
    var failure = self
    for secret in secrets where !secret.value.isEmpty {
      failure.message = Self.blot(secret.value, in: failure.message)
      failure.details = failure.details.map { JSON.Member($0.name, Self.blot(secret.value, in: $0.value)) }
    }
    return failure
  }

  private static func blot(_ secret: String, in json: JSON) -> JSON {
    switch json {
    case .string(let text): .string(blot(secret, in: text))
    case .array(let elements): .array(elements.map { blot(secret, in: $0) })
    case .object(let members): .object(members.map { JSON.Member(blot(secret, in: $0.name), blot(secret, in: $0.value)) })
    default: json
    }
  }

  private static func blot(_ secret: String, in text: String) -> String {
    text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "…")
  }
}
