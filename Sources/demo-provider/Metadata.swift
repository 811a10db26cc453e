import Jansson

extension Call {
  /// The authorization server metadata (RFC 8414 §2) for the issuer.
  var metadata: JSON {
    [
      "issuer": .string(issuer),
      "authorization_endpoint": .string(issuer + "/authorize"),
      "token_endpoint": .string(issuer + "/token"),
      "revocation_endpoint": .string(issuer + "/revoke"),
      "userinfo_endpoint": .string(issuer + "/userinfo"),
      "device_authorization_endpoint": .string(issuer + "/device_authorization"),
      "jwks_uri": .string(issuer + "/jwks"),
      "id_token_signing_alg_values_supported": ["ES256"],
      "subject_types_supported": ["public"],
      "scopes_supported": ["openid", "profile", "email", "read", "write", "offline_access"],
      "response_types_supported": ["code"],
      "response_modes_supported": ["query"],
      "grant_types_supported": ["authorization_code", "refresh_token", .string(Grant.Device.grantType)],
      "code_challenge_methods_supported": ["S256"],
      "token_endpoint_auth_methods_supported": ["none"],
      "authorization_response_iss_parameter_supported": true,
    ]
  }
}
