import Jansson
import OAuthCore

/// What a request for a token without a user says, beside the client's parameters.
///
/// A grant stores what its caller brought, so that a renewal can ask again. Tokens that the configuration has are read for each request
/// and never stored.
package struct ClientRequest: FieldObject, Equatable {
  package enum Flow: String, StringEnum {
    package static let schemaName: String? = "ClientFlow"

    case clientCredentials, jwtBearer, tokenExchange, identityAssertion
  }

  package var flow = Flow.clientCredentials
  package var subjectToken: Secret?
  package var subjectTokenType: TokenKind?
  package var actorToken: Secret?
  package var actorTokenType: TokenKind?
  package var requestedTokenType: TokenKind?
  package var audience: Audience?
  /// An object.
  package var assertionClaims: JSON?
  package var clientAssertion: Secret?

  package init() {}

  /// Whether every version of the program can send this request.
  package var isPlain: Bool { self == ClientRequest() }

  /// The first member that is set, for messages; nil if there is none.
  package var firstMember: String? { list().dropFirst().first?.name }

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    flow = try fields.required("flow", "The way of getting a token.")
    subjectToken = try fields.optional("subjectToken", "The assertion, or the token to exchange.")
    actorToken = try fields.optional("actorToken", "The token of the acting party.")
    clientAssertion = try fields.optional("clientAssertion", "The client's assertion.")
    try readValues(&fields)
  }

  /// Reads the members that are neither tokens nor sources.
  package mutating func readValues(_ fields: inout ObjectReader) throws(FieldError) {
    subjectTokenType = try fields.optional(
      "subjectTokenType", "The type of the subject token (RFC 8693, 3): a URI, or its last word, such as `id_token`. Without it, `jwt` applies.")
    actorTokenType = try fields.optional("actorTokenType", "The type of the actor token. Without it, `jwt` applies.")
    requestedTokenType = try fields.optional("requestedTokenType", "The type of the wanted token. Without it, the server chooses.")
    audience = try fields.optional("audience", "The service that the exchanged token is for, or several of them (RFC 8693, 2.1).")
    assertionClaims = try fields.optional(
      "assertionClaims",
      "With `jwtBearer`: the claims of an assertion that `privateKey` signs (RFC 7523, 3), such as `sub`. `exp` is its life in seconds. "
        + "Without `iss`, the client's ID applies.")
    if assertionClaims == .null { assertionClaims = nil }
    if let assertionClaims, !fields.isDescribing { try Self.check(assertionClaims, at: fields.pointer("assertionClaims")) }
  }

  private static func check(_ claims: JSON, at path: String) throws(FieldError) {
    guard let members = claims.members else { throw FieldError(path, "must be an object, not \(claims.kind)") }
    for member in members {
      let place = ObjectReader.pointer(to: member.name, in: path)
      if ["iat", "nbf", "jti"].contains(member.name) { throw FieldError(place, "cannot be set: the process sets this claim itself") }
      guard member.name == "exp" else { continue }
      guard let life = member.value.integer, 1...86_400 ~= life else { throw FieldError(place, "must be a life from 1 to 86400 s") }
    }
  }

  private func list() -> [JSON.Member] {
    let members: [(String, JSON?)] = [
      ("flow", .string(flow.rawValue)), ("subjectToken", subjectToken.map { .string($0.value) }),
      ("actorToken", actorToken.map { .string($0.value) }), ("clientAssertion", clientAssertion.map { .string($0.value) }),
      ("subjectTokenType", subjectTokenType.map { .string($0.uri) }), ("actorTokenType", actorTokenType.map { .string($0.uri) }),
      ("requestedTokenType", requestedTokenType.map { .string($0.uri) }),
      ("audience", audience.map { .array($0.values.map { .string($0) }) }), ("assertionClaims", assertionClaims),
    ]
    return members.compactMap { name, value in value.map { JSON.Member(name, $0) } }
  }

  package var json: JSON { .object(list()) }

  package func write(to writer: inout JSONWriter) { writer.value(json) }
}

extension ClientRequest: Confidential {}

/// The type of a token, as a URI (RFC 8693, 3).
package struct TokenKind: FieldValue, Equatable {
  package static let namespace = "urn:ietf:params:oauth:token-type:"
  private static let names = ["access_token", "refresh_token", "id_token", "saml1", "saml2", "jwt", "id-jag"]

  package static let jwt = TokenKind("jwt")
  package static let accessToken = TokenKind("access_token")
  package static let refreshToken = TokenKind("refresh_token")
  package static let idToken = TokenKind("id_token")
  package static let identityAssertion = TokenKind("id-jag")

  package let uri: String

  private init(_ name: String) { uri = Self.namespace + name }
  package init(uri: String) { self.uri = uri }

  package static var schema: JSON { ["type": "string"] }
  package static let placeholder = jwt

  package static func read(_ json: JSON, at path: String) throws(FieldError) -> TokenKind {
    let text = try String.read(json, at: path)
    if text.contains(":") { return TokenKind(uri: text) }
    guard names.contains(text) else { throw FieldError(path, "must be a URI or one of \(names.joined(separator: ", "))") }
    return TokenKind(text)
  }

  package func write(to writer: inout JSONWriter) { writer.string(uri) }
}

/// One service or several, as a token exchange names them.
package struct Audience: FieldValue, Equatable {
  package let values: [String]

  package init(values: [String]) { self.values = values }

  package static var schema: JSON { ["anyOf": [["type": "string"], ["type": "array", "items": ["type": "string"]]]] }
  package static let placeholder = Audience(values: [])

  package static func read(_ json: JSON, at path: String) throws(FieldError) -> Audience {
    if let text = json.string { return Audience(values: [text]) }
    guard case .array = json else { throw FieldError(path, "must be a string or an array of strings, not \(json.kind)") }
    return Audience(values: try [String].read(json, at: path))
  }

  package func write(to writer: inout JSONWriter) { writer.value(.array(values.map { .string($0) })) }
}
