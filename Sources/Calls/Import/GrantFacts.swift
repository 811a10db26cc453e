import Jansson
import OAuthCore
import Plans
import Store

/// Facts about a grant besides its tokens, for export and import: the member `oauth_stdio` of the format `json`.
///
/// A token response has no names for most of them. Another server's own `email` or `subject` may have another meaning.
struct GrantFacts: FieldObject, Equatable {
  static let member = "oauth_stdio"

  /// Unix seconds, like all times here.
  package var issuedAt: Int?
  var refreshTokenExpiresAt: Int?
  var idTokenExpiresAt: Int?
  var grantedScopes: [String]?
  package var declinedScopes: [String] = []
  package var redirectUri: String?
  var clientParameters: NamedValues<String>?
  var clientScopes: [String]?
  var clientRequest: ClientRequest?
  var isClientRegistered = false
  package var subject: String?
  package var email: String?
  package var attributes = NamedValues<String>()

  init(_ fields: inout ObjectReader) throws(FieldError) {
    issuedAt = try fields.optional("issuedAt", in: UnixSeconds.instants, "When the access token was received.")
    refreshTokenExpiresAt = try fields.optional("refreshTokenExpiresAt", in: UnixSeconds.instants, "When the refresh token expires.")
    idTokenExpiresAt = try fields.optional("idTokenExpiresAt", in: UnixSeconds.instants, "When the ID token expires.")
    grantedScopes = try fields.optional("grantedScopes", "The granted scopes.")
    declinedScopes = try fields.optional("declinedScopes", "Scopes that were requested and not granted.") ?? []
    redirectUri = try fields.optional("redirectUri", "The redirect URI of the sign-in.")
    clientParameters = try fields.optional("clientParameters", "Extra parameters of the client-credentials request.")
    clientScopes = try fields.optional("clientScopes", "Scopes of the client-credentials request.")
    clientRequest = try fields.optional("clientRequest", "What else the request for the client's own token says.")
    isClientRegistered = try fields.optional("isClientRegistered", "Whether the process registered the client.") ?? false
    subject = try fields.optional("subject", "The user's subject.")
    email = try fields.optional("email", "The user's e-mail address.")
    attributes = try fields.optional("attributes", "Further attributes of the user.") ?? .init()
    let texts = [("redirectUri", redirectUri), ("subject", subject), ("email", email)].map { (fields.pointer($0), $1) }
    let named = attributes.pairs.map { (ObjectReader.pointer(to: $0.name, in: fields.pointer("attributes")), Optional($0.value)) }
    for (path, text) in texts + named {
      guard let text, JSON.string(text).attributeText == nil else { continue }
      throw FieldError(path, "has control characters, or is too long")
    }
  }

  /// The facts about a grant as this type reads them.
  static func json(of grant: Grant) -> JSON {
    func texts(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
    return [
      "issuedAt": .integer(grant.issuedAt), "refreshTokenExpiresAt": grant.refreshTokenExpiresAt.map(JSON.integer),
      "idTokenExpiresAt": grant.idTokenExpiresAt.map(JSON.integer),
      "grantedScopes": grant.unknownScopes == nil ? texts(grant.grantedScopes) : nil,
      "declinedScopes": grant.declinedScopes.isEmpty ? nil : texts(grant.declinedScopes),
      "redirectUri": grant.redirectUri.map(JSON.string), "clientParameters": grant.clientParameters?.json,
      "clientScopes": grant.clientScopes.map(texts), "clientRequest": grant.clientRequest?.json,
      "isClientRegistered": grant.isClientRegistered ? true : nil, "subject": grant.subject.map(JSON.string),
      "email": grant.email.map(JSON.string), "attributes": grant.attributes.pairs.isEmpty ? nil : grant.attributes.json,
    ]
  }
}

extension Grant {
  /// Returns the grant in the format that `importGrant` accepts as `json`.
  package func tokenResponse(at now: Int) -> JSON {
    func text(_ secret: Secret?) -> JSON? { secret.map { .string($0.value) } }
    let isOAuth1 = tokenSecret != nil
    return [
      "oauth_token": isOAuth1 ? text(accessToken) : nil, "oauth_token_secret": text(tokenSecret),
      "oauth_session_handle": isOAuth1 ? text(sessionHandle) : nil, "access_token": isOAuth1 ? nil : text(accessToken),
      "token_type": isOAuth1 ? nil : tokenType.map(JSON.string), "refresh_token": text(refreshToken), "id_token": text(idToken),
      "expires_in": expiresAt.map { .integer(max(0, $0 - now)) }, "expires_at": expiresAt.map(JSON.integer),
      "scope": grantedScopes.isEmpty ? nil : .string(grantedScopes.joined(separator: " ")), GrantFacts.member: GrantFacts.json(of: self),
    ]
  }

  /// The resolved provider in the form that `importGrant` accepts. It lacks the client's private key, which is not part of the grant.
  package var exportedProvider: JSON {
    .object(
      (provider.members ?? []).filter { member in
        // The description is complete. A preset from this user's file may not exist elsewhere.
        member.name != "privateKey" && (member.name != "preset" || ProviderCatalog.builtIn.names.contains(member.value.string ?? ""))
      })
  }
}
