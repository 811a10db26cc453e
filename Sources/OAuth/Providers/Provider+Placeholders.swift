extension Provider {
  /// Gives every {name} whose value comes with the redirect or with the tokens one that stands for it, where `variables` have none: for what is
  /// only shown.
  mutating func fillWithPlaceholders() {
    let origins = [
      authorizationEndpoint, tokenEndpoint, token.refreshEndpoint, revocation.revocationEndpoint, introspectionEndpoint, userInfoEndpoint,
      api.apiBase,
    ].compactMap(\.self)
    for name in lateNames where name != "clientId" && variables[name] == nil {
      let stem = name.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
      // Scheme and host have to be some; `.invalid` is nobody's (RFC 2606).
      let isOrigin = origins.contains { $0.hasPrefix("{\(name)}") }
      variables.pairs.append((name, isOrigin ? "https://\(stem.lowercased()).invalid" : stem.uppercased()))
    }
    // What the made-up redirect brings must not stand in their place.
    request.callbackMembers = []
  }
}
