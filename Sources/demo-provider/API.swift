/// The protected resource: calls worth making with a token, and calls that go wrong.
///
/// A token that is sent must be good; `me`, `userinfo` and the like need one, the rest can be tried without.
struct API {
  let request: Request
  let site: Site
  /// Behind `/api/`.
  let path: Substring

  func answer() -> Response {
    // What a test asks about the server is no request to the resource.
    if path == "count" { return .json(.object([("count", .int(site.journal.counted(key)))])) }
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

  /// What a request counts under, a refused one too.
  private var key: String { request.query["key"] ?? "" }

  private var needsToken: Bool { ["me", "userinfo", "expired", "expired-200", "forbidden", "always-401"].contains(path) }

  /// RFC 6750 §3.1: no error code when the request had no token at all.
  private static func unauthorized(_ description: String?) -> Response {
    guard let description else {
      return .error("unauthorized", "an access token is needed", status: 401, headers: [("WWW-Authenticate", #"Bearer realm="demo""#)])
    }
    let challenge = #"Bearer realm="demo", error="invalid_token", error_description="\#(description)""#
    return .error("invalid_token", description, status: 401, headers: [("WWW-Authenticate", challenge)])
  }

  /// The answers that depend on the token.
  private func protected(_ token: AccessToken, _ grant: Grant) -> Response? {
    switch path {
    case "me":
      return echo
    case "userinfo":
      return .json(
        .object([
          ("sub", .string("demo")), ("name", .string("Demo Person")), ("email", .string("demo@example.com")),
          ("scope", .string(token.scopes.joined(separator: " "))),
        ]))
    case "expired" where token.generation == 0:
      return Self.unauthorized("the access token is too old, so refresh")
    case "expired-200" where token.generation == 0:
      return .json(.object([("ok", .bool(false)), ("error", .string("token_expired"))]))
    case "expired", "expired-200":
      return .json(.object([("ok", .bool(true)), ("generation", .int(token.generation))]))
    case "always-401":
      return Self.unauthorized("no access token is good enough")
    case "forbidden":
      let challenge = #"Bearer realm="demo", error="insufficient_scope", scope="admin""#
      return .error("insufficient_scope", "the scope admin is needed", status: 403, headers: [("WWW-Authenticate", challenge)])
    default:
      return nil
    }
  }

  /// The request as it arrived, but for its credentials.
  private var echo: Response {
    let headers = Fields(request.headers.filter { $0.name.lowercased() != "authorization" })
    return .json(
      .object([
        ("user", .string("demo")), ("method", .string(request.method)), ("query", request.query.json), ("headers", headers.json),
        ("body", .string(String(decoding: request.body, as: UTF8.self))), ("bodyLength", .int(request.body.count)),
      ]))
  }
}
