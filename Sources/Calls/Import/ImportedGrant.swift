import Jansson
import OAuthCore
import Store

/// The tokens that another program stored, and its facts about them.
package struct ImportedGrant: Sendable, Equatable {
  /// A token response (RFC 6749, 5.1) that another program stored.
  struct ImportedResponse: Sendable, Equatable {
    /// An object.
    var json: JSON
    /// Its place in the params, for errors.
    var path: String
  }

  package var accessToken: Secret?
  package var tokenType: String?
  /// OAuth 1.0a only.
  package var tokenSecret: Secret?
  package var sessionHandle: Secret?
  package var refreshToken: Secret?
  package var idToken: Secret?
  /// Unix seconds.
  package var expiresAt: Int?
  /// When the tokens were received, in Unix seconds, if the caller knows that.
  package var issuedAt: Int?
  package var scopes: [String]?
  package var subject: String?
  package var email: String?
  package var attributes = NamedValues<String>()
  /// The facts that `exportGrant` added to the tokens.
  var facts: GrantFacts?
  /// A token response that is not read yet. The provider's description gives the places of its members.
  var response: ImportedResponse?
  /// The members of the response whose names speak of an expiry and whose values are no time that the process can read.
  package var unreadTimes: [String] = []
  /// Unix seconds.
  package var refreshTokenExpiresAt: Int?
  /// The redirect URI that the program sent with sign-ins and refreshes.
  package var redirectUri: String?
  /// That program's name for the provider. A preset of this name is used if the caller names no provider.
  package var providerName: String?
  /// The authorization server, and the client that it issued the tokens to, if the file names them.
  var issuer: String?
  var client: Client?
  /// Whether the server registered the client for that program's redirect URIs, so that it is of no use for a sign-in here.
  var isClientOfAnother = false

  package init() {}

  /// Checks that a token is valid in a header (RFC 6750, 2.1). `path` is its place in the params.
  static func token(_ text: String?, at path: String) throws(FieldError) -> Secret? {
    guard let text, !text.isEmpty else { return nil }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw FieldError(path, "has characters that are invalid in a token") }
    return Secret(text)
  }
}

extension ImportedGrant {
  /// Reads a token response with what is beside it. Ignores unrelated members, because every server and program adds its own.
  static func json(_ data: JSON, at path: String = "/data") throws(FieldError) -> ImportedGrant {
    let file = try ImportedFile(data, at: path)
    let json = file.json
    var grant = ImportedGrant()
    (grant.providerName, grant.issuer, grant.client) = (file.providerName, json["issuer"]?.string, file.client)
    grant.isClientOfAnother = json["redirect_uris"] != nil
    if let facts = json[GrantFacts.member] {
      let read = try GrantFacts.decode(facts, at: ObjectReader.pointer(to: GrantFacts.member, in: path))
      (grant.facts, grant.subject, grant.email, grant.attributes) = (read, read.subject, read.email, read.attributes)
      (grant.scopes, grant.refreshTokenExpiresAt) = (read.grantedScopes, read.refreshTokenExpiresAt)
    }
    grant.response = ImportedResponse(json: json, path: path)
    return grant
  }

  /// Returns the grant with its token response read by the provider's rules. A grant that `exportGrant` wrote follows the specification instead.
  package func settled(by provider: TokenResponseOptions, now: Int) throws(FieldError) -> ImportedGrant {
    var grant = self
    let options = facts == nil ? provider : TokenResponseOptions()
    if let response {
      try grant.read(response, AuthorizationServerResponse(stored: response.json, options), options, now: now)
      grant.attributes = attributes.merged(with: provider.attributes(of: response.withoutTokens))
    } else if expiresAt == nil, accessToken != nil, tokenSecret == nil, let issuedAt, let usual = options.expiresDefault {
      grant.expiresAt = issuedAt + usual
    }
    return grant
  }

  private mutating func read(_ raw: ImportedResponse, _ response: AuthorizationServerResponse, _ options: TokenResponseOptions, now: Int)
    throws(FieldError)
  {
    refreshToken = try raw.token("refresh_token", response)
    idToken = try raw.token("id_token", response)
    if let token = try raw.token("oauth_token", response) {
      accessToken = token
      tokenSecret = Secret(try raw.text("oauth_token_secret", response) ?? "")
      sessionHandle = try raw.token("oauth_session_handle", response)
      tokenType = Grant.signedTokenType
    } else {
      accessToken = try raw.token("access_token", response)
      tokenType = TokenRequest.Response.scheme(try raw.text("token_type", response), options)
      if tokenType == nil { throw FieldError(raw.pointer("token_type", response), "is not the name of an authentication scheme") }
    }
    guard accessToken != nil || refreshToken != nil else {
      // OpenID 2.0 identifies the user and issues no token.
      guard facts != nil, subject != nil else { throw FieldError(raw.path, "has neither access_token nor refresh_token nor oauth_token") }
      tokenType = nil
      return
    }
    scopes = scopes ?? response["scope"]?.scopes
    let renewal = TokenExpiry(
      response["refresh_token_expires_in"] ?? response["refresh_expires_in"], orAt: response["refresh_token_expires_at"], options,
      usually: nil)
    refreshTokenExpiresAt = refreshTokenExpiresAt ?? end(of: renewal, now)
    issuedAt = issuedAt ?? TokenExpiry.instant(response["created_at"])
    let stored = raw.storedEnd(from: issuedAt ?? now)
    expiresAt = accessToken == nil ? now : try raw.instant("expires_at", response) ?? stored.end ?? end(response, options, now)
    guard expiresAt == nil else { return }
    unreadTimes = stored.unread
    // It may have ended, and a refresh costs one request.
    if !unreadTimes.isEmpty, refreshToken != nil { expiresAt = now }
  }

  private func end(_ response: AuthorizationServerResponse, _ options: TokenResponseOptions, _ now: Int) -> Int? {
    let life = TokenExpiry(response["expires_in"], options, usually: issuedAt == nil ? nil : options.expiresDefault)
    // With an unknown start, a default lifetime may have passed already. The token counts as expired, so a refresh follows.
    let isOver = issuedAt == nil && options.expiresDefault != nil && refreshToken != nil
    return end(of: life, now) ?? (isOver ? now : nil)
  }

  private func end(of life: TokenExpiry, _ now: Int) -> Int? { life.end(from: Instant(seconds: issuedAt ?? now))?.seconds }
}

extension ImportedGrant.ImportedResponse {
  /// The members that may become attributes, which every client can see.
  fileprivate var withoutTokens: JSON { .object((json.members ?? []).filter { !ImportedFile.isSecret($0.name) }) }

  fileprivate func pointer(_ name: String, _ response: AuthorizationServerResponse) -> String { path + response.pointer(to: name) }

  fileprivate func text(_ name: String, _ response: AuthorizationServerResponse) throws(FieldError) -> String? {
    guard let value = response[name], value != .null else { return nil }
    return try String.read(value, at: pointer(name, response))
  }

  fileprivate func token(_ name: String, _ response: AuthorizationServerResponse) throws(FieldError) -> Secret? {
    try ImportedGrant.token(try text(name, response), at: pointer(name, response))
  }

  /// The end of the access token, from the first member whose name speaks of an expiry. Also returns the names of such members without a time.
  ///
  /// Each program has its own name for it: `expiry` (rclone, gcloud), `expires_on` (Azure), `expiry_date` (Node), `access_token_expiration`.
  fileprivate func storedEnd(from start: Int) -> (end: Int?, unread: [String]) {
    var unread: [String] = []
    let others = ["refresh", "idtoken", "ext", "client"]
    for member in json.members ?? [] {
      let name = ImportedFile.letters(member.name)
      let isStart = name == "createdat"
      guard isStart || name.contains("expir") && !name.hasSuffix("in") && !others.contains(where: name.hasPrefix) else { continue }
      if let end = TokenExpiry.instant(member.value) {
        if isStart { continue }
        return (end < TokenExpiry.earliest ? start + end : end, [])
      }
      // Go writes the year 1 for a token that does not expire.
      let text = member.value.string
      if member.value != .null, member.value != 0, text != "", text?.hasPrefix("0001-") != true { unread.append(member.name) }
    }
    return (nil, unread)
  }

  /// Returns nil if the member is absent. An invalid value is ignored only if `expires_in` is present.
  fileprivate func instant(_ name: String, _ response: AuthorizationServerResponse) throws(FieldError) -> Int? {
    guard let value = response[name], value != .null, value != 0, value != "" else { return nil }
    if let instant = TokenExpiry.instant(value) { return instant }
    guard TokenExpiry.number(response["expires_in"]) != nil else {
      throw FieldError(pointer(name, response), "is not a time in Unix seconds or ISO 8601")
    }
    return nil
  }
}
