import OAuthCore

/// A registered client, and its authentication.
struct RegisteredClient: Sendable {
  let id: String
  /// Nil for a public client (RFC 6749 §2.1).
  let secret: String?

  /// This secret has characters that Basic carries correctly only in form encoding (RFC 6749 §2.3.1).
  static let registered = [
    RegisteredClient(id: "demo", secret: nil),
    RegisteredClient(id: "demo-confidential", secret: "demo secret:+%"),
  ]

  static func registered(id: String) -> RegisteredClient? { registered.first { $0.id == id } }

  /// Returns the authenticated client of a request to the token, revocation or introspection endpoint (RFC 6749 §2.3).
  static func authenticated(_ request: Request, form: Fields) throws(OAuthError) -> RegisteredClient {
    guard let basic = request.credential(scheme: "basic") else {
      if request[header: "authorization"] != nil { throw failed("the authorization scheme must be Basic", challenge: true) }
      return try fromBody(form)
    }
    // RFC 6749 §2.3 forbids two methods at once. A client_id alone in addition to Basic is common and harmless.
    guard form["client_secret"] == nil else { throw .invalidRequest("the client authenticates in two ways at once") }
    let halves = String(decoding: (try? Base64.decode(basic)) ?? [], as: UTF8.self).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else { throw failed("the Basic credential can't be read", challenge: true) }
    let id = PercentEncoding.lenientText(ArraySlice(halves[0].utf8), plusIsBlank: true)
    let secret = PercentEncoding.lenientText(ArraySlice(halves[1].utf8), plusIsBlank: true)
    guard form["client_id"] == nil || form["client_id"] == id else { throw .invalidRequest("two client identifiers differ") }
    guard let client = registered(id: id), client.secret ?? "" == secret else {
      throw failed("the client is unknown or its secret is wrong", challenge: true)
    }
    return client
  }

  private static func fromBody(_ form: Fields) throws(OAuthError) -> RegisteredClient {
    guard let id = form.filled("client_id") else { throw failed("the client doesn't say who it is", challenge: false) }
    guard let client = registered(id: id), client.secret == form.filled("client_secret") else {
      throw failed("the client is unknown or its secret is wrong", challenge: false)
    }
    return client
  }

  /// Returns 401, with a challenge if the client used the `Authorization` header (RFC 6749 §5.2).
  private static func failed(_ description: String, challenge: Bool) -> OAuthError {
    OAuthError(
      code: "invalid_client", description: description, status: 401,
      headers: challenge ? [("WWW-Authenticate", #"Basic realm="demo""#)] : [])
  }

  /// Whether the redirect URI is allowed: loopback on any port (RFC 8252 §7.3), a private scheme, or one https page.
  static func allowsRedirect(to uri: String) -> Bool {
    if ["com.example.app:/cb", "https://client.example/cb"].contains(uri) { return true }
    guard let url = try? URLParts(uri), url.scheme == "http", url.userInfo == nil, url.fragment == nil else { return false }
    return ["127.0.0.1", "[::1]", "localhost"].contains(url.host)
  }
}
