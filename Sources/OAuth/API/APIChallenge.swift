import Jansson

/// What a service wants of the token that another token of the same kind does not bring (RFC 6750, 3.1; RFC 9470, 3).
package enum APIChallenge: Sendable, Equatable {
  case scope([String])
  /// `maxAge` is in seconds.
  case userAuthentication(acrValues: [String], maxAge: Int?)

  /// Nil where the answer demands neither. More words than anybody writes are cut.
  init?(_ response: HTTPResponse) {
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
        switch value("error") {
        case "insufficient_scope": self = .scope(TokenResponse.scopes(value("scope").map(JSON.string)) ?? [])
        case "insufficient_user_authentication":
          let age = value("max_age").flatMap(Int.init).flatMap { (0...315_360_000).contains($0) ? $0 : nil }
          self = .userAuthentication(acrValues: words("acr_values"), maxAge: age)
        default: continue
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
    case .userAuthentication(let values, let age):
      [.init("acrValues", .array(values.map { .string($0) }))] + (age.map { [.init("maxAge", .integer($0))] } ?? [])
    }
  }

  /// Makes a request ask for what is missing; false where the service does not say what that is.
  package func add(to request: inout AuthorizeRequest) -> Bool {
    request.addsScopes = true
    switch self {
    case .scope(let scopes):
      request.scopes = scopes
      return !scopes.isEmpty
    case .userAuthentication(let values, let age):
      request.interaction = .always
      if !values.isEmpty { request.parameters.pairs.append(("acr_values", values.joined(separator: " "))) }
      if let age { request.parameters.pairs.append(("max_age", String(age))) }
      // A session that the provider remembers may be the very one that is too old or too weak.
      if values.isEmpty, age == nil { request.parameters.pairs.append(("prompt", "login")) }
      return true
    }
  }
}
