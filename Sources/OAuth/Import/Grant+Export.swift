import Jansson

extension Grant {
  /// The same form again: what `importGrant` takes as `json`.
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

  /// The provider as `importGrant` takes it again: as it was resolved, but for the client's own key, which is no part of the grant.
  package var exportedProvider: JSON {
    .object(
      (provider.members ?? []).filter { member in
        // The description is whole; a preset that is a file of this user's may be nowhere else.
        member.name != "privateKey" && (member.name != "preset" || Presets.builtIn.names.contains(member.value.string ?? ""))
      })
  }
}
