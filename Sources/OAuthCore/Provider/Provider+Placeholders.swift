extension Provider {
  /// Gives a sample value to each {name} that only the redirect or the token response would fill in and that has no variable. For display only.
  package mutating func fillWithPlaceholders() {
    let origins = [
      authorizationEndpoint, tokenEndpoint, token.refreshEndpoint, revocation.revocationEndpoint, introspectionEndpoint, userInfoEndpoint,
      api.apiBase,
    ].compactMap(\.self)
    for name in lateNames where name != "clientId" && variables[name] == nil {
      let stem = name.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
      // A scheme and a host are required here. `.invalid` is reserved for this (RFC 2606).
      let isOrigin = origins.contains { $0.hasPrefix("{\(name)}") }
      variables.pairs.append((name, isOrigin ? "https://\(stem.lowercased()).invalid" : stem.uppercased()))
    }
    // The sample redirect must not replace these values.
    request.callbackMembers = []
  }
}
