/// The calls that work without a token.
extension API {
  /// Returns the answer to the `count`th request with its key, or nil for an unknown path.
  func open(count: Int) -> Response? {
    let query = request.query
    switch path {
    case "redirect": return redirect
    case "redirect-loop": return .redirect(to: site.origin + "/api/redirect-loop")
    case "slow":
      var response = Response.json(["ok": true])
      response.delay = query.number("seconds") ?? 1
      return response
    case "flaky": return flaky(count: count)
    case "drop":
      return count <= query.number("times") ?? 1 ? Response(content: .close) : .json(["count": .integer(count)])
    case "never": return Response(content: .silence)
    case "garbage": return Response(content: .raw(Array("\u{16}\u{3}\u{1} this is no HTTP\r\n\r\n".utf8)))
    case let path where path.hasPrefix("status/"): return status(path.dropFirst(7))
    default: return strangeBody
    }
  }

  /// Redirects to itself `n` times, then once to `to`. `status` replaces the default 302.
  private var redirect: Response {
    let query = request.query
    let left = query.number("n") ?? 1
    let target = query["to"] ?? site.origin + "/api/me"
    let status = query.number("status") ?? 302
    guard left > 1 else { return .redirect(to: target, status: status) }
    let next = Fields([("to", target), ("n", String(left - 1)), ("status", String(status))])
    return .redirect(to: "/api/redirect?" + next.encoded, status: status)
  }

  /// Returns `status` and `Retry-After: after` for the first `fail` requests with this key.
  private func flaky(count: Int) -> Response {
    let query = request.query
    guard count <= query.number("fail") ?? 1 else { return .json(["count": .integer(count)]) }
    return .error(
      "temporarily_unavailable", "request \(count) with this key fails", status: query.number("status") ?? 503,
      headers: [("Retry-After", query["after"] ?? "0")])
  }

  private func status(_ text: Substring) -> Response? {
    guard let status = Int(text), (200...599).contains(status) else { return nil }
    return .json(["error": .string("status_\(status)"), "status": .integer(status)], status: status)
  }

  /// Returns text as JSON that no correct writer produces.
  private func text(_ json: String) -> Response { .text(json, type: "application/json") }

  /// Bodies that an imprecise reader changes, rejects or crashes on.
  private var strangeBody: Response? {
    let query = request.query
    switch path {
    // A reader that stores numbers as doubles changes or rejects all three.
    case "numbers": return text(#"{"price":19.99,"id":18446744073709551616,"x":1e400}"#)
    case "dup": return text(#"{"a":1,"a":2}"#)
    case "surrogate": return text(#"{"s":"\ud800"}"#)
    case "deep":
      let depth = min(query.number("n") ?? 200, 10_000_000)
      return text(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
    case "latin1":
      // "Jürg" in ISO 8859-1. JSON must be UTF-8 (RFC 8259 §8.1).
      let body = Array(#"{"name":"J"#.utf8) + [0xFC] + Array(#"rg"}"#.utf8)
      return .bytes(body, type: "application/json")
    case "big":
      let stream = Response.Stream(
        prefix: Array(#"{"text":""#.utf8), fill: UInt8(ascii: "x"), count: query.number("bytes") ?? 1_000_000,
        suffix: Array(#""}"#.utf8), framing: framing)
      return Response(headers: [("Content-Type", "application/json")], content: .stream(stream))
    case "blob":
      let stream = Response.Stream(fill: 0, count: query.number("bytes") ?? 1_000_000, framing: framing)
      return Response(headers: [("Content-Type", "application/octet-stream")], content: .stream(stream))
    default: return nil
    }
  }

  /// How the length of a long body is sent: `framing=chunked`, `framing=close`, else a content-length.
  private var framing: Response.Stream.Framing {
    switch request.query["framing"] {
    case "chunked": .chunked
    case "close": .untilClose
    default: .contentLength
    }
  }
}
