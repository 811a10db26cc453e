import Jansson

/// A token answer (RFC 6749, 5.1) that another program kept.
struct KeptAnswer: Sendable, Equatable {
  /// An object.
  var json: JSON
  /// Where it stood, for faults.
  var path: String
}

extension ImportedGrant {
  /// A token answer as an object or as its text, or an access token by itself; members that say nothing of a grant are passed over, since every server adds its own.
  static func json(_ data: JSON, at path: String = "/data") throws(FieldError) -> ImportedGrant {
    var json = data
    if case .string(let text) = data, let first = text.unicodeScalars.first(where: { $0.value > 0x20 }),
      !"{[\"".unicodeScalars.contains(first)
    {
      json = ["access_token": .string(try token(text, at: path)?.value ?? "")]
    } else if case .string(let text) = data {
      do {
        json = try JSON.parse(Array(text.utf8))
      } catch {
        throw FieldError(path, "is no json")
      }
    }
    guard json.members != nil else { throw FieldError(path, "has to be an object, not \(json.kind)") }
    var grant = ImportedGrant()
    if let facts = json[GrantFacts.member] {
      let read = try GrantFacts.decode(facts, at: Fields.pointer(to: GrantFacts.member, in: path))
      (grant.facts, grant.subject, grant.email, grant.attributes) = (read, read.subject, read.email, read.attributes)
      (grant.scopes, grant.refreshTokenExpiresAt) = (read.grantedScopes, read.refreshTokenExpiresAt)
    }
    grant.answer = KeptAnswer(json: json, path: path)
    return grant
  }

  /// The same with its answer read as the provider writes answers; what went out of here is written as the specification has it.
  package func settled(by provider: AnswerManner, now: Int) throws(FieldError) -> ImportedGrant {
    var grant = self
    let manner = facts == nil ? provider : AnswerManner()
    if let answer {
      try grant.read(answer, TokenAnswer(kept: answer.json, manner), manner, now: now)
      grant.attributes = attributes.merged(with: provider.attributes(of: answer.withoutTokens))
    } else if expiresAt == nil, accessToken != nil, tokenSecret == nil, let issuedAt, let usual = manner.expiresDefault {
      grant.expiresAt = issuedAt + usual
    }
    return grant
  }

  private mutating func read(_ kept: KeptAnswer, _ answer: TokenAnswer, _ manner: AnswerManner, now: Int) throws(FieldError) {
    refreshToken = try kept.token("refresh_token", answer)
    idToken = try kept.token("id_token", answer)
    if let token = try kept.token("oauth_token", answer) {
      accessToken = token
      tokenSecret = Secret(try kept.text("oauth_token_secret", answer) ?? "")
      sessionHandle = try kept.token("oauth_session_handle", answer)
      tokenType = Grant.signedTokenType
    } else {
      accessToken = try kept.token("access_token", answer)
      tokenType = TokenResponse.scheme(try kept.text("token_type", answer), manner)
      if tokenType == nil { throw FieldError(kept.pointer("token_type", answer), "is no name of an authentication scheme") }
    }
    guard accessToken != nil || refreshToken != nil else {
      // OpenID 2.0 says who somebody is and gives no token.
      guard facts != nil, subject != nil else {
        throw FieldError(kept.path, "has neither access_token nor refresh_token nor oauth_token")
      }
      tokenType = nil
      return
    }
    scopes = scopes ?? TokenResponse.scopes(answer["scope"])
    let renewal = TokenExpiry(answer["refresh_token_expires_in"] ?? answer["refresh_expires_in"], manner, usually: nil)
    refreshTokenExpiresAt = refreshTokenExpiresAt ?? end(of: renewal, now)
    expiresAt = accessToken == nil ? now : try kept.instant("expires_at", answer) ?? end(answer, manner, now)
  }

  private func end(_ answer: TokenAnswer, _ manner: AnswerManner, _ now: Int) -> Int? {
    let life = TokenExpiry(answer["expires_in"], manner, usually: issuedAt == nil ? nil : manner.expiresDefault)
    // A default lifetime with an unknown start may be over: a refresh finds out.
    let isOver = issuedAt == nil && manner.expiresDefault != nil && refreshToken != nil
    return end(of: life, now) ?? (isOver ? now : nil)
  }

  private func end(of life: TokenExpiry, _ now: Int) -> Int? {
    life.end(from: issuedAt ?? now)
  }
}

extension KeptAnswer {
  /// What of it may be kept with an account, where anybody sees it.
  fileprivate var withoutTokens: JSON { .object((json.members ?? []).filter { !Self.secrets.contains($0.name) }) }

  private static let secrets: Set<String> = [
    "access_token", "refresh_token", "id_token", "oauth_token", "oauth_token_secret", "oauth_session_handle",
    GrantFacts.member,
  ]

  fileprivate func pointer(_ name: String, _ answer: TokenAnswer) -> String { path + answer.pointer(to: name) }

  fileprivate func text(_ name: String, _ answer: TokenAnswer) throws(FieldError) -> String? {
    guard let value = answer[name], value != .null else { return nil }
    return try String.read(value, at: pointer(name, answer))
  }

  fileprivate func token(_ name: String, _ answer: TokenAnswer) throws(FieldError) -> Secret? {
    try ImportedGrant.token(try text(name, answer), at: pointer(name, answer))
  }

  /// nil if it is not given; what cannot be read counts as nothing only where `expires_in` stands beside it.
  fileprivate func instant(_ name: String, _ answer: TokenAnswer) throws(FieldError) -> Int? {
    guard let value = answer[name], value != .null, value != 0, value != "" else { return nil }
    if let instant = TokenExpiry.instant(value) { return instant }
    guard TokenExpiry.number(answer["expires_in"]) != nil else {
      throw FieldError(pointer(name, answer), "is no instant in Unix seconds")
    }
    return nil
  }
}
