import OAuthCore

/// The registered client, which is public (RFC 6749 §2.1).
struct RegisteredClient: Sendable {
  let id: String

  static func registered(id: String) -> RegisteredClient? { id == "demo" ? RegisteredClient(id: id) : nil }

  /// Returns the client of a request to the token or revocation endpoint. Some clients name it by Basic, with an empty secret.
  static func authenticated(_ request: Request, form: Fields) throws(OAuthError) -> RegisteredClient {
    let basic = request.credential(scheme: "basic").flatMap { try? Base64.decode($0) }
    let id = basic.map { PercentEncoding.lenientText($0.prefix { $0 != UInt8(ascii: ":") }, plusIsBlank: true) } ?? form.filled("client_id")
    guard let client = id.flatMap(registered), form.filled("client_secret") == nil else {
      throw OAuthError(code: "invalid_client", description: "the client is unknown or its secret is wrong", status: 401)
    }
    return client
  }

  /// Whether the redirect URI is allowed: loopback on any port (RFC 8252 §7.3).
  static func allowsRedirect(to uri: String) -> Bool {
    guard let url = try? URLParts(uri), url.scheme == "http", url.userInfo == nil, url.fragment == nil else { return false }
    return ["127.0.0.1", "[::1]", "localhost"].contains(url.host)
  }
}
