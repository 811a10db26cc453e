import Jansson
import OAuthCore

extension APIResponse {
  /// A service's demand for a token with other properties (RFC 6750, 3.1; RFC 9470, 3; Microsoft Entra's claims).
  package enum Challenge: Sendable, Equatable {
    case scope([String])
    /// `maxAge` is in seconds.
    /// `claims` is the text of a JSON object.
    case userAuthentication(acrValues: [String], maxAge: Int?, claims: String?)

    /// Returns nil if the response demands neither. Lists are cut to 32 words, more than any real challenge has.
    init?(_ response: HTTPResponse, hiding hidden: Redaction) {
      guard response.status == 401 || response.status == 403 else { return nil }
      for header in response.headers where header.isNamed("www-authenticate") {
        for scheme in ["bearer", "dpop"] {
          let parameters = HTTPChallenge.parameters(header.value, scheme: scheme)
          func value(_ name: String) -> String? {
            parameters.first { $0.name.lowercased() == name }.map { String(decoding: $0.value, as: UTF8.self) }
          }
          func words(_ name: String) -> [String] {
            (value(name) ?? "").split(separator: " ").prefix(32).map { ErrorText.clean(String($0)) }
          }
          let claims = DemandedClaims.text(value("claims").map(JSON.string), hiding: hidden)
          if value("error") == "insufficient_scope" {
            self = .scope(value("scope").flatMap { JSON.string($0).scopes } ?? [])
          } else if claims != nil || value("error") == "insufficient_user_authentication" {
            let age = value("max_age").flatMap(Int.init).flatMap { (0...315_360_000).contains($0) ? $0 : nil }
            self = .userAuthentication(acrValues: words("acr_values"), maxAge: age, claims: claims)
          } else {
            continue
          }
          return
        }
      }
      return nil
    }

    var kind: OAuthFailure.Kind {
      switch self {
      case .scope: .insufficientScope
      case .userAuthentication: .insufficientUserAuthentication
      }
    }

    var details: [JSON.Member] {
      switch self {
      case .scope(let scopes): [.init("scopes", .array(scopes.map { .string($0) }))]
      case .userAuthentication(let values, let age, let claims):
        [.init("acrValues", .array(values.map { .string($0) }))] + (age.map { [.init("maxAge", .integer($0))] } ?? [])
          + (claims.map { [.init("claims", .string($0))] } ?? [])
      }
    }

    /// Adds the demand to a sign-in request. Returns false if the service doesn't say which scopes it needs.
    package func add(to request: inout AuthorizationInput) -> Bool {
      switch self {
      case .scope(let scopes):
        request.scopes = scopes
        return !scopes.isEmpty
      case .userAuthentication(let values, let age, let claims):
        request.interaction = .always
        request.demandedClaims = claims
        if !values.isEmpty { request.addedParameters.append(("acr_values", values.joined(separator: " "))) }
        if let age { request.addedParameters.append(("max_age", String(age))) }
        // The provider's existing session may be the one that is too old or too weak.
        if values.isEmpty, age == nil, claims == nil { request.addedParameters.append(("prompt", "login")) }
        return true
      }
    }
  }
}
