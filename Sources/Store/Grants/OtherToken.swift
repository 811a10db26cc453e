import Jansson
import OAuthCore

/// What another token of a login is for: some of its scopes, another resource (RFC 8707) or another audience of the same server.
package struct TokenTerms: FieldObject, Hashable {
  /// Sorted, because their order says nothing; nil for those that the server gives.
  package var scopes: [String]?
  package var resource: String?
  package var audience: String?

  package init() {}

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    let asked: [String]? = try fields.optional("scopes", "The only scopes that the token has. They are among those of the login.")
    scopes = asked.map { Set($0).sorted() }
    resource = try fields.optional("resource", "The resource that the token is for (RFC 8707).")
    audience = try fields.optional("audience", "The audience that the token is for, as the server calls it.")
    try fields.check(scopes: asked)
    if asked == [] { throw FieldError(fields.pointer("scopes"), "must name a scope") }
  }

  package var isEmpty: Bool { self == TokenTerms() }

  /// What is asked, as a sentence shows it.
  package var shown: String {
    [scopes?.joined(separator: " "), resource, audience].compactMap(\.self).joined(separator: " for ").plain
  }
}

/// Another token of a login. The grant of the login has it, and its own tokens are not changed by it.
package struct OtherToken: FieldObject, Equatable {
  package var terms = TokenTerms()
  package var accessToken = Secret("")
  package var tokenType: String?
  package var issued = Instant(seconds: 0)
  package var expires: Instant?
  /// The scopes that the token shows; nil if it shows none.
  package var grantedScopes: [String]?
  /// Whether the answer or the token shows that it has what was asked.
  package var isConfirmed = false

  package init() {}
  package init(_ fields: inout ObjectReader) throws(FieldError) { try handOver(to: &fields) }

  package func write(to writer: inout JSONWriter) {
    var (members, token) = (ObjectWriter(goingOnWith: &writer), self)
    token.handOver(to: &members)
    members.end(givingBackTo: &writer)
  }

  private mutating func handOver<Text: GrantText>(to text: inout Text) throws(Text.Failure) {
    var end = expires?.milliseconds
    try text.member("scopes", &terms.scopes)
    try text.member("resource", &terms.resource)
    try text.member("audience", &terms.audience)
    try text.member("accessToken", &accessToken)
    try text.member("tokenType", &tokenType)
    try text.member("issued", &issued.milliseconds)
    try text.member("expires", &end)
    expires = end.map(Instant.init(milliseconds:))
    try text.member("grantedScopes", &grantedScopes)
    try text.member("isConfirmed", &isConfirmed)
  }
}

extension Grant {
  /// The largest number of other tokens in a grant, and their largest size together in bytes.
  private static let mostOthers = (count: 16, bytes: 64 << 10)

  package func other(_ terms: TokenTerms) -> OtherToken? { others.first { $0.terms == terms } }

  /// Adds the token, in the place of one for the same. Ended ones go, and then the ones that end first.
  package mutating func add(_ token: OtherToken, at now: Instant) {
    func life(_ token: OtherToken) -> Int { token.expires?.milliseconds ?? .max }
    others.removeAll { $0.terms == token.terms || life($0) <= now.milliseconds }
    others = others.sorted { life($0) > life($1) }
    others.insert(token, at: 0)
    var bytes = 0
    others = others.prefix(Self.mostOthers.count).filter { other in
      let size = other.accessToken.value.utf8.count + other.terms.shown.utf8.count
      // One that is too large takes no other's place.
      if bytes + size <= Self.mostOthers.bytes { bytes += size } else { return false }
      return true
    }
  }

  /// Returns the grant with the other token in the place of its own.
  ///
  /// It is for uses alone and must not be stored.
  package func using(_ other: OtherToken) -> Grant {
    var grant = self
    (grant.accessToken, grant.tokenType, grant.issued, grant.expires) = (other.accessToken, other.tokenType, other.issued, other.expires)
    (grant.isDatedAhead, grant.doubtedAt) = (false, nil)
    grant.grantedScopes = other.grantedScopes ?? other.terms.scopes ?? []
    (grant.idToken, grant.idTokenExpiresAt, grant.isShortLived) = (nil, nil, false)
    return grant
  }
}
