/// The calls that can be tried without a token.
extension API {
  /// The answer to the `count`th request with its key; nil when nothing is at this path.
  func open(count: Int) -> Response? {
    let query = request.query
    switch path {
    case "redirect": return redirect
    case "redirect-loop": return .redirect(to: site.origin + "/api/redirect-loop")
    case "slow":
      var response = Response.json(.object([("ok", .bool(true))]))
      response.delay = query.number("seconds") ?? 1
      return response
    case "flaky": return flaky(count: count)
    case "drop":
      return count <= query.number("times") ?? 1 ? Response(content: .close) : .json(.object([("count", .int(count))]))
    case "never": return Response(content: .silence)
    case "garbage": return Response(content: .raw(Array("\u{16}\u{3}\u{1} this is no HTTP\r\n\r\n".utf8)))
    case let path where path.hasPrefix("status/"): return status(path.dropFirst(7))
    default: return strangeBody
    }
  }

  /// `n` redirects to itself, then one to `to`; `status` chooses another than 302.
  private var redirect: Response {
    let query = request.query
    let left = query.number("n") ?? 1
    let target = query["to"] ?? site.origin + "/api/me"
    let status = query.number("status") ?? 302
    guard left > 1 else { return .redirect(to: target, status: status) }
    let next = Fields([("to", target), ("n", String(left - 1)), ("status", String(status))])
    return .redirect(to: "/api/redirect?" + next.encoded, status: status)
  }

  /// The first `fail` requests with this key get `status` and `Retry-After: after`.
  private func flaky(count: Int) -> Response {
    let query = request.query
    guard count <= query.number("fail") ?? 1 else { return .json(.object([("count", .int(count))])) }
    return .error(
      "temporarily_unavailable", "request \(count) with this key fails", status: query.number("status") ?? 503,
      headers: [("Retry-After", query["after"] ?? "0")])
  }

  private func status(_ text: Substring) -> Response? {
    guard let status = Int(text), (200...599).contains(status) else { return nil }
    return .json(.object([("error", .string("status_\(status)")), ("status", .int(status))]), status: status)
  }

  /// Bodies that a careless reader spoils, refuses or chokes on.
  private var strangeBody: Response? {
    let query = request.query
    switch path {
    // None of the three survives a reader that goes by way of doubles.
    case "numbers": return .json(.raw(#"{"price":19.99,"id":18446744073709551616,"x":1e400}"#))
    case "dup": return .json(.raw(#"{"a":1,"a":2}"#))
    case "surrogate": return .json(.raw(#"{"s":"\ud800"}"#))
    case "deep":
      let depth = min(query.number("n") ?? 200, 10_000_000)
      return .json(.raw(String(repeating: "[", count: depth) + String(repeating: "]", count: depth)))
    case "latin1":
      // "Jürg" in ISO 8859-1, which JSON isn't written in (RFC 8259 §8.1).
      let body = Array(#"{"name":"J"#.utf8) + [0xFC] + Array(#"rg"}"#.utf8)
      return Response(headers: [("Content-Type", "application/json")], content: .bytes(body))
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

  /// How the length of a long body is told: `framing=chunked`, `framing=close`, else beforehand.
  private var framing: Response.Stream.Framing {
    switch request.query["framing"] {
    case "chunked": .chunked
    case "close": .untilClose
    default: .contentLength
    }
  }
}
