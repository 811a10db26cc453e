/// The protected resource: useful calls for a token, and calls that fail.
///
/// A token in the request must be valid. `me`, `userinfo` and similar paths require one. The rest need none.
struct API {
  let request: Request
  let site: Site
  /// The path after `/api/`.
  let path: Substring

  func answer() -> Response {
    // A test's query about the server does not count as a request to the resource.
    if path == "count" { return .json(["count": .integer(site.journal.counted(key))]) }
    let count = site.journal.count(key)
    guard let text = request.credential(scheme: "bearer") else {
      guard request[header: "authorization"] == nil else { return Self.unauthorized("the authorization scheme must be Bearer") }
      return open(count: count) ?? (needsToken ? Self.unauthorized(nil) : .notFound("nothing is at \(request.path)"))
    }
    guard let (token, grant) = site.grants.living(accessToken: text) else {
      return Self.unauthorized("the access token is unknown, expired or revoked")
    }
    return protected(token, grant) ?? open(count: count) ?? .notFound("nothing is at \(request.path)")
  }

  /// The key that a request counts under. Rejected requests count too.
  private var key: String { request.query["key"] ?? "" }

  private var needsToken: Bool { ["me", "userinfo", "expired", "expired-200", "forbidden", "always-401"].contains(path) }

  /// Returns 401, without an error code if the request had no token (RFC 6750 §3.1).
  private static func unauthorized(_ description: String?) -> Response {
    guard let description else {
      return .error("unauthorized", "an access token is needed", status: 401, headers: [("WWW-Authenticate", #"Bearer realm="demo""#)])
    }
    let challenge = #"Bearer realm="demo", error="invalid_token", error_description="\#(description)""#
    return .error("invalid_token", description, status: 401, headers: [("WWW-Authenticate", challenge)])
  }

  /// Returns the answers that depend on the token.
  private func protected(_ token: Grant.AccessToken, _ grant: Grant) -> Response? {
    switch path {
    case "me":
      return echo
    case "userinfo":
      return .json(
        [
          "sub": "demo", "name": "Demo Person", "email": "demo@example.com", "scope": .string(token.scopes.joined(separator: " ")),
        ])
    case "expired" where token.generation == 0:
      return Self.unauthorized("the access token is too old, so refresh")
    case "expired-200" where token.generation == 0:
      return .json(["ok": false, "error": "token_expired"])
    case "expired", "expired-200":
      return .json(["ok": true, "generation": .integer(token.generation)])
    case "always-401":
      return Self.unauthorized("no access token is good enough")
    case "forbidden":
      let challenge = #"Bearer realm="demo", error="insufficient_scope", scope="admin""#
      return .error("insufficient_scope", "the scope admin is needed", status: 403, headers: [("WWW-Authenticate", challenge)])
    default:
      return nil
    }
  }

  /// The request as it arrived, without its credentials.
  private var echo: Response {
    let headers = Fields(request.headers.filter { $0.name.lowercased() != "authorization" })
    return .json(
      [
        "user": "demo", "method": .string(request.method), "query": request.query.json, "headers": headers.json,
        "body": .string(String(decoding: request.body, as: UTF8.self)), "bodyLength": .integer(request.body.count),
      ])
  }
}
