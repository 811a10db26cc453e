import Jansson
import OAuthCore

/// What a request for a token without a user says beside the client's parameters, under the names of `authorize`.
///
/// A grant stores what its caller brought, so that a renewal can ask again. Tokens that the configuration has are read for each request
/// and never stored.
package struct ClientRequest: FieldValue, Equatable, Confidential {
  package enum Flow: String { case clientCredentials, jwtBearer, tokenExchange, identityAssertion }

  package static let schema: JSON = ["type": "object"]
  package static let placeholder = ClientRequest()

  /// Empty for client credentials alone.
  private var members: [JSON.Member] = []

  package init() {}

  package static func read(_ json: JSON, at path: String) throws(FieldError) -> ClientRequest {
    var request = ClientRequest()
    request.members = json.members ?? []
    let isKnown = request["flow"] == nil || request.text("flow").flatMap(Flow.init) != nil
    guard json.members != nil, isKnown else { throw FieldError(path, "is not a request of this version") }
    return request
  }

  package func write(to writer: inout JSONWriter) { writer.value(json) }

  package var json: JSON { .object(members) }
  package static func == (one: ClientRequest, other: ClientRequest) -> Bool { one.json.sorted == other.json.sorted }

  package subscript(_ name: String) -> JSON? {
    get { members.first { $0.name == name }?.value }
    set {
      members.removeAll { $0.name == name }
      if let newValue { members.append(.init(name, newValue)) }
    }
  }

  package func text(_ name: String) -> String? { self[name]?.string }

  package var flow: Flow {
    get { text("flow").flatMap(Flow.init) ?? .clientCredentials }
    set { self["flow"] = newValue == .clientCredentials ? nil : .string(newValue.rawValue) }
  }

  /// Adds the members of `other` that this one does not have.
  package func completed(by other: ClientRequest) -> ClientRequest {
    var completed = self
    completed.members += other.members.filter { self[$0.name] == nil }
    return completed
  }

  /// A member besides the flow, for messages; nil if there is none.
  package var firstMember: String? { members.first { $0.name != "flow" }?.name }

  /// The members that are tokens. The configuration has them or their sources.
  package static let tokens = [
    ("subjectToken", "The assertion of `jwtBearer`, or the token that `tokenExchange` exchanges"),
    ("actorToken", "The token of the acting party (RFC 8693, 2.1)"),
    ("clientAssertion", "The client's assertion (RFC 7523, 2.2) as another program makes it"),
  ]

  /// The members that a token exchange sends as texts, with the names of its parameters (RFC 8693, 2.1).
  package static let exchanged = [
    ("subjectToken", "subject_token"), ("subjectTokenType", "subject_token_type"), ("actorToken", "actor_token"),
    ("actorTokenType", "actor_token_type"), ("requestedTokenType", "requested_token_type"),
  ]

  /// Reads the members that are neither tokens nor sources.
  package mutating func readValues(_ fields: inout ObjectReader) throws(FieldError) {
    let types = [
      (
        "subjectTokenType",
        "The subject token's type (RFC 8693, 3): a URI or its last word, such as `id_token`. Without it, `jwt`, or "
          + "`access_token` for a token of another account."
      ),
      ("actorTokenType", "The type of the actor token. Without it, `jwt` applies, or `access_token` for a token of another account."),
      ("requestedTokenType", "The type of the wanted token. Without it, the server chooses."),
    ]
    for (name, documentation) in types {
      let type: TokenType? = try fields.optional(name, documentation)
      self[name] = type.map { .string($0.uri) }
    }
    let assertionType: AssertionType? = try fields.optional(
      "clientAssertionType", "The type of `clientAssertion`. Without it, `jwt-bearer` applies.")
    self["clientAssertionType"] = assertionType.map { .string($0.rawValue) }
    let audience: OneOrMany? = try fields.optional(
      "audience", "The service that the exchanged token is for, or several of them (RFC 8693, 2.1).")
    self["audience"] = audience.map { .array($0.values.map { .string($0) }) }
    let claims: JSON? = try fields.optional(
      "assertionClaims",
      "With `jwtBearer`: the claims of an assertion that `privateKey` signs (RFC 7523, 3), such as `sub`. `exp` is its life in seconds. "
        + "Without `iss`, the client's ID applies.")
    guard let claims, claims != .null else { return }
    try Self.check(claims, at: fields.pointer("assertionClaims"))
    self["assertionClaims"] = claims
  }

  private static func check(_ claims: JSON, at path: String) throws(FieldError) {
    guard let members = claims.members else { throw FieldError(path, "must be an object, not \(claims.kind)") }
    for member in members {
      let place = ObjectReader.pointer(to: member.name, in: path)
      if ["iat", "nbf", "jti"].contains(member.name) { throw FieldError(place, "cannot be set: the process sets this claim itself") }
      let isLife = 1...86_400 ~= member.value.integer ?? 0
      guard member.name != "exp" || isLife else { throw FieldError(place, "must be a life from 1 to 86400 s") }
    }
  }
}

/// The type of a token, as a URI (RFC 8693, 3).
package struct TokenType: FieldValue {
  private static let names = ["access_token", "refresh_token", "id_token", "saml1", "saml2", "jwt", "id-jag"]

  package let uri: String

  package static let schema: JSON = ["type": "string"]
  package static let placeholder = TokenType(uri: "")

  /// Returns the URI of a type that the IETF has named.
  package static func uri(_ name: String) -> String { "urn:ietf:params:oauth:token-type:" + name }

  package static func read(_ json: JSON, at path: String) throws(FieldError) -> TokenType {
    let text = try String.read(json, at: path)
    if text.contains(":") { return TokenType(uri: text) }
    guard names.contains(text) else { throw FieldError(path, "must be a URI or one of \(names.joined(separator: ", "))") }
    return TokenType(uri: uri(text))
  }

  package func write(to writer: inout JSONWriter) { writer.null() }
}

/// The last word of the type of a client's assertion (RFC 7523, 2.2; draft-ietf-oauth-spiffe-client-auth).
private enum AssertionType: String, StringEnum {
  static let schemaName: String? = "ClientAssertionType"

  case jwtBearer = "jwt-bearer"
  case jwtSpiffe = "jwt-spiffe"
}
