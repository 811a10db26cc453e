import Jansson
import Platform

extension Call {
  /// The protected resource. `me` and `userinfo` require a token, and a token in any request must be valid. `path` is what follows `/api/`.
  func api(_ path: Substring) -> Response {
    var token: Grant.AccessToken?
    if request[header: "authorization"] != nil {
      token = request.credential(scheme: "bearer").flatMap { site.grants.living(accessToken: $0) }
      guard token != nil else { return unauthorized("the access token is unknown, expired or revoked") }
    }
    switch path {
    case "me", "userinfo":
      guard let token else { return unauthorized(nil) }
      guard path == "userinfo" else { return echo }
      let scope = JSON.string(token.scopes.joined(separator: " "))
      return .json(["sub": "demo", "name": "Demo Person", "email": "demo@example.com", "scope": scope])
    // A reader that stores numbers as doubles changes or rejects all three.
    case "numbers": return .text(#"{"price":19.99,"id":18446744073709551616,"x":1e400}"#, type: "application/json")
    case "slow":
      sleep(1)
      return .json(["ok": true])
    default: return .notFound("nothing is at \(request.path)")
    }
  }

  /// Returns 401, without an error code if the request had no token (RFC 6750 §3.1).
  private func unauthorized(_ description: String?) -> Response {
    guard let description else {
      return .error("unauthorized", "an access token is needed", status: 401, headers: [("WWW-Authenticate", #"Bearer realm="demo""#)])
    }
    let challenge = #"Bearer realm="demo", error="invalid_token", error_description="\#(description)""#
    return .error("invalid_token", description, status: 401, headers: [("WWW-Authenticate", challenge)])
  }

  /// The request as it arrived, without its credentials.
  private var echo: Response {
    let headers = Fields(request.headers.filter { $0.name.lowercased() != "authorization" })
    return .json([
      "user": "demo", "method": .string(request.method), "query": request.query.json, "headers": headers.json,
      "body": .string(String(decoding: request.body, as: UTF8.self)), "bodyLength": .integer(request.body.count),
    ])
  }
}
