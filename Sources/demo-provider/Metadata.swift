import Jansson

/// The authorization server metadata (RFC 8414 §2) for the issuer.
struct Metadata {
  let call: Call

  var json: JSON {
    let issuer = call.issuer
    return [
      "issuer": .string(issuer),
      "authorization_endpoint": .string(issuer + "/authorize"),
      "token_endpoint": .string(issuer + "/token"),
      "revocation_endpoint": .string(issuer + "/revoke"),
      "userinfo_endpoint": .string(issuer + "/userinfo"),
      "device_authorization_endpoint": .string(issuer + "/device_authorization"),
      "jwks_uri": .string(issuer + "/jwks"),
      "id_token_signing_alg_values_supported": strings(["ES256"]),
      "subject_types_supported": strings(["public"]),
      "scopes_supported": strings(["openid", "profile", "email", "read", "write", "offline_access"]),
      "response_types_supported": strings(["code"]),
      "response_modes_supported": strings(["query"]),
      "grant_types_supported": strings(["authorization_code", "refresh_token", Grant.Device.grantType]),
      "code_challenge_methods_supported": strings(["S256"]),
      "token_endpoint_auth_methods_supported": strings(["none"]),
      "authorization_response_iss_parameter_supported": true,
    ]
  }

  private func strings(_ values: [String]) -> JSON { .array(values.map { .string($0) }) }
}
