import Jansson

extension ImportedGrant {
  /// A token answer as an object or as its text; members that say nothing of a grant are passed over, since every server adds its own.
  static func json(_ data: JSON, issuedAt: Int?, now: Int, at path: String = "/data") throws(FieldError) -> ImportedGrant {
    var answer = data
    if case .string(let text) = data {
      do {
        answer = try JSON.parse(Array(text.utf8))
      } catch {
        throw FieldError(path, "is no json")
      }
    }
    guard answer.members != nil else { throw FieldError(path, "has to be an object, not \(answer.kind)") }
    func text(_ name: String) throws(FieldError) -> String? {
      guard let value = answer[name], value != .null else { return nil }
      return try String.read(value, at: Fields.pointer(to: name, in: path))
    }
    func secret(_ name: String) throws(FieldError) -> Secret? {
      try token(try text(name), at: Fields.pointer(to: name, in: path))
    }
    var grant = ImportedGrant()
    if let facts = answer[GrantFacts.member] {
      let read = try GrantFacts.decode(facts, at: Fields.pointer(to: GrantFacts.member, in: path))
      (grant.facts, grant.subject, grant.email, grant.attributes) = (read, read.subject, read.email, read.attributes)
    }
    grant.refreshToken = try secret("refresh_token")
    grant.idToken = try secret("id_token")
    if let token = try secret("oauth_token") {
      grant.accessToken = token
      grant.tokenSecret = Secret(try text("oauth_token_secret") ?? "")
      grant.sessionHandle = try secret("oauth_session_handle")
      grant.tokenType = "OAuth"
    } else {
      grant.accessToken = try secret("access_token")
      grant.tokenType = try scheme(try text("token_type"), at: Fields.pointer(to: "token_type", in: path))
    }
    guard grant.accessToken != nil || grant.refreshToken != nil else {
      // OpenID 2.0 says who somebody is and gives no token.
      if grant.facts != nil, grant.subject != nil {
        grant.tokenType = nil
        grant.scopes = grant.facts?.grantedScopes
        return grant
      }
      throw FieldError(path, "has neither access_token nor refresh_token nor oauth_token")
    }
    grant.scopes = grant.facts?.grantedScopes ?? TokenResponse.scopes(answer["scope"])
    if case .integer(let instant)? = answer["expires_at"], (1...1 << 53).contains(instant) {
      grant.expiresAt = instant
    } else if case .seconds(let seconds) = TokenExpiry(answer["expires_in"], AnswerManner(), usually: nil) {
      // A life of which nobody knows when it began may be over; a refresh token finds out, and without one the service will.
      grant.expiresAt = issuedAt.map { $0 + seconds } ?? (grant.refreshToken == nil ? nil : now)
    }
    if grant.accessToken == nil { grant.expiresAt = now }
    grant.rest = .object((answer.members ?? []).filter { !secrets.contains($0.name) })
    return grant
  }

  private static let secrets: Set<String> = [
    "access_token", "refresh_token", "id_token", "oauth_token", "oauth_token_secret", "oauth_session_handle",
    GrantFacts.member,
  ]

  /// How the token is presented: the scheme of a header (RFC 9110, 11.4), `Bearer` where nothing is said.
  private static func scheme(_ text: String?, at path: String) throws(FieldError) -> String {
    guard let text, !text.isEmpty, text.lowercased() != "bearer" else { return "Bearer" }
    guard text.utf8.count <= 64, text.utf8.allSatisfy({ isASCIILetterOrDigit($0) || "-._~+".utf8.contains($0) }) else {
      throw FieldError(path, "is no name of an authentication scheme")
    }
    return text
  }
}

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
