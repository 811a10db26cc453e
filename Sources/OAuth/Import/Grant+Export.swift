import Jansson

extension Grant {
  /// Returns the grant in the format that `importGrant` accepts as `json`.
  package func tokenAnswer(at now: Int) -> JSON {
    var members: [JSON.Member] = []
    func add(_ name: String, _ value: String?) {
      if let value { members.append(.init(name, .string(value))) }
    }
    if let tokenSecret {
      add("oauth_token", accessToken?.value)
      add("oauth_token_secret", tokenSecret.value)
      add("oauth_session_handle", sessionHandle?.value)
    } else {
      add("access_token", accessToken?.value)
      add("token_type", tokenType)
    }
    add("refresh_token", refreshToken?.value)
    add("id_token", idToken?.value)
    if let expiresAt {
      members.append(.init("expires_in", .integer(max(0, expiresAt - now))))
      members.append(.init("expires_at", .integer(expiresAt)))
    }
    if !grantedScopes.isEmpty { add("scope", grantedScopes.joined(separator: " ")) }
    members.append(.init(GrantFacts.member, GrantFacts(self).json))
    return .object(members)
  }

  /// The resolved provider in the form that `importGrant` accepts. It lacks the client's private key, which is no part of the grant.
  package var exportedProvider: JSON {
    .object(
      (provider.members ?? []).filter { member in
        // The description is complete. A preset from this user's file may not exist elsewhere.
        member.name != "privateKey" && (member.name != "preset" || ProviderCatalog.builtIn.names.contains(member.value.string ?? ""))
      })
  }
}
