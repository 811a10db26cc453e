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
    guard !fields.isDescribing else { return }
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
    let members: [(String, JSON?)] = [
      ("issuedAt", .integer(grant.issuedAt)), ("refreshTokenExpiresAt", grant.refreshTokenExpiresAt.map(JSON.integer)),
      ("idTokenExpiresAt", grant.idTokenExpiresAt.map(JSON.integer)),
      ("grantedScopes", grant.unknownScopes == nil ? texts(grant.grantedScopes) : nil),
      ("declinedScopes", grant.declinedScopes.isEmpty ? nil : texts(grant.declinedScopes)),
      ("redirectUri", grant.redirectUri.map(JSON.string)), ("clientParameters", grant.clientParameters?.json),
      ("clientScopes", grant.clientScopes.map(texts)), ("clientRequest", grant.clientRequest?.json),
      ("isClientRegistered", grant.isClientRegistered ? true : nil), ("subject", grant.subject.map(JSON.string)),
      ("email", grant.email.map(JSON.string)), ("attributes", grant.attributes.pairs.isEmpty ? nil : grant.attributes.json),
    ]
    return .object(members.compactMap { name, value in value.map { .init(name, $0) } })
  }
}

extension Grant {
  /// Returns the grant in the format that `importGrant` accepts as `json`.
  package func tokenResponse(at now: Int) -> JSON {
    var members: [JSON.Member] = []
    func add(_ name: String, _ value: String?) { if let value { members.append(.init(name, .string(value))) } }
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
    members.append(.init(GrantFacts.member, GrantFacts.json(of: self)))
    return .object(members)
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
