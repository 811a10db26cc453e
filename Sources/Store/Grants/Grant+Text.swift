import Jansson
import OAuthCore

/// The grant as the text that is sealed in its file. One list of members serves for reading and writing.
extension Grant: FieldReadable, JSONObjectConvertible {
  package static var sample: Grant {
    Grant(account: "", provider: .object([]), client: Client(id: ""), accessToken: Secret(""), tokenType: "", issuedAt: 0)
  }

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    self = .sample
    try handOver(to: &fields)
  }

  package func list(_ members: inout ObjectWriter) {
    var grant = self
    grant.handOver(to: &members)
  }

  /// Lets the text have each member, or give it. A new member is a line here, and versions that do not know it ignore it.
  private mutating func handOver<Text: GrantText>(to text: inout Text) throws(Text.Failure) {
    try text.member("account", &account)
    try text.member("provider", &provider)
    try text.member("providerName", &providerName)
    try text.member("providerReference", &providerReference)
    var document = published.map(JSON.object)
    try text.member("published", &document)
    published = document?.members
    var (scope, hosts) = (publishedLimit?.scope, publishedLimit?.namedHosts)
    try text.member("publishedScope", &scope)
    try text.member("namedHosts", &hosts)
    publishedLimit = scope.map { PublishedLimit(scope: $0, namedHosts: hosts ?? []) }
    try client.handOver(to: &text)
    try text.member("accessToken", &accessToken)
    try text.member("tokenType", &tokenType)
    try text.member("tokenSecret", &tokenSecret)
    try text.member("sessionHandle", &sessionHandle)
    try text.member("refreshToken", &refreshToken)
    try text.member("keepsRefreshToken", &keepsRefreshToken, unless: false)
    try text.member("dpopKey", &dpopKey)
    try text.member("idToken", &idToken)
    try text.member("idTokenExpiresAt", &idTokenExpiresAt)
    var (rest, restOfEnd) = (issued.milliseconds % 1000, (expires?.milliseconds ?? 0) % 1000)
    try text.member("issuedAt", &issuedAt)
    try text.member("issuedMilliseconds", &rest, unless: 0)
    issued.milliseconds += rest % 1000
    try text.member("expiresAt", &expiresAt)
    try text.member("expiresMilliseconds", &restOfEnd, unless: 0)
    expires?.milliseconds += restOfEnd % 1000
    try text.member("isDatedAhead", &isDatedAhead, unless: false)
    try text.member("refreshTokenExpiresAt", &refreshTokenExpiresAt)
    try text.member("grantedScopes", &grantedScopes)
    try text.member("unknownScopes", &unknownScopes)
    try text.member("declinedScopes", &declinedScopes)
    try text.member("refusedScopes", &refusedScopes, unless: [])
    try text.member("redirectUri", &redirectUri)
    try text.member("pinnedRedirectUri", &pinnedRedirectUri)
    try text.member("clientParameters", &clientParameters)
    try text.member("clientScopes", &clientScopes)
    try text.member("clientRequest", &clientRequest)
    try text.member("subject", &subject)
    try text.member("email", &email)
    try text.member("attributes", &attributes, unless: .init())
    try text.member("isClientRegistered", &isClientRegistered, unless: false)
    try text.member("isClientForgotten", &isClientForgotten, unless: false)
    try text.member("clientSecretExpiresAt", &clientSecretExpiresAt)
    var (rejectedAt, reason, claims, client) = (rejection?.at, rejection?.reason, rejection?.claims, rejection?.client)
    try text.member("isRefreshRefused", &isRejected)
    try text.member("rejectedAt", &rejectedAt)
    try text.member("rejection", &reason)
    try text.member("rejectionClaims", &claims)
    try text.member("rejectedClient", &client)
    rejection = rejectedAt.flatMap { at in reason.map { Rejection(at: at, reason: $0, claims: claims) } }
    rejection?.client = client
    try text.member("doubtedAt", &doubtedAt)
    try text.member("isUntried", &isUntried, unless: false)
    try text.member("isShortLived", &isShortLived, unless: false)
    try text.member("otherTokens", &others, unless: [])
    try text.member("hasGivenOthers", &hasGivenOthers, unless: false)
    try text.member("lostScopes", &lostScopes, unless: [])
    try text.member("login", &login)
    try text.member("importedAt", &importedAt)
    try text.member("generation", &generation)
  }
}

extension Client {
  /// The members of the client in a grant.
  fileprivate mutating func handOver<Text: GrantText>(to text: inout Text) throws(Text.Failure) {
    try text.member("clientId", &id)
    try text.member("clientSecret", &stored.secret)
    try text.member("clientCertificate", &stored.certificate)
    try text.member("isClientCertificateConfigured", &isCertificateConfigured, unless: false)
    var key = stored.key?.stored
    try text.member("clientKey", &key)
    stored.key = ClientKey(stored: key)
    try text.member("isClientSecretConfigured", &isSecretConfigured, unless: false)
  }
}

/// What reads the members of a grant, or writes those that have a value.
protocol GrantText {
  associatedtype Failure: Error
  mutating func member<Value: FieldValue>(_ name: String, _ value: inout Value?) throws(Failure)
}

extension GrantText {
  /// The value stays if none is read. The `usual` one is not written.
  mutating func member<Value: FieldValue & Equatable>(_ name: String, _ value: inout Value, unless usual: Value? = nil) throws(Failure) {
    var found = value == usual ? nil : value
    try member(name, &found)
    value = found ?? value
  }
}

extension ObjectReader: GrantText {
  mutating func member<Value: FieldValue>(_ name: String, _ value: inout Value?) throws(FieldError) { value = try optional(name, "") }
}

extension ObjectWriter: GrantText {
  mutating func member<Value: FieldValue>(_ name: String, _ value: inout Value?) { add(optional: name, value, "") }
}
