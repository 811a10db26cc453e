import TestSupport
import Testing

@testable import Loopback
@testable import OAuthCore
@testable import Platform

@Suite struct LoopbackRequestTests {
  static func answer(_ raw: String, limits: LoopbackListener.Limits = LoopbackListener.Limits()) async throws -> (
    answer: LoopbackBrowser.Response, log: RedirectLog
  ) {
    let log = RedirectLog()
    let listener = try log.listen(limits: limits)
    defer { listener.close() }
    let text = raw.split(separator: "PORT", omittingEmptySubsequences: false).joined(separator: String(listener.port))
    return (try #require(await LoopbackBrowser(port: listener.port).send(raw: text)), log)
  }

  @Test func aRedirectIsDecodedAndAnswered() async throws {
    let (answer, log) = try await Self.answer(
      "GET /callback?code=a%2Fb+c&state=ours&name=%C3%A9&empty=&flag HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nAccept-Language: de\r\n\r\n")
    #expect(answer.status == 200)
    #expect(answer.body.contains("Sie sind bei"))
    let request = try #require(log.requests.first)
    #expect(
      request.parameters == [
        RedirectParameter(name: "code", value: "a/b c"), RedirectParameter(name: "state", value: "ours"),
        RedirectParameter(name: "name", value: "é"), RedirectParameter(name: "empty", value: ""),
        RedirectParameter(name: "flag", value: ""),
      ])
    #expect(request.acceptLanguage == "de")
    #expect(request.url(at: "x:") == "x:/callback?code=a%2Fb+c&state=ours&name=%C3%A9&empty=&flag")
    #expect(!"\(request)".contains("a/b") && !String(reflecting: request.parameters).contains("a/b"))
  }

  private static let form = "POST /callback HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: application/x-www-form-urlencoded"

  /// Rejected before the sign-in's handler is called, although all carry the right state.
  @Test(arguments: [
    ("GET /?code=1&state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT", 404),
    ("GET /favicon.ico?state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT", 404),
    ("GET /callback/?state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT", 404),
    ("GET /Callback?state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT", 404),
    ("GET /%63allback?state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT", 404),
    ("GET //callback?state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT", 404),
    ("GET /callback?state=ours HTTP/1.1", 400),
    ("GET /callback?state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: 127.0.0.1:PORT", 400),
    ("GET /callback?state=theirs HTTP/1.1\r\nHost: evil.example:PORT", 421),
    ("GET /callback?state=theirs HTTP/1.1\r\nHost: localhost:PORT", 421),
    ("GET /callback HTTP/1.1\r\nHost: 127.0.0.1", 421),
    ("GET /callback/x?state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT.evil.example", 400),
    ("GET http://evil.example/?state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT", 421),
    ("GET /callback?state=ours HTTP/1.1\r\nHost: evil example", 400),
    ("HEAD /callback?code=1&state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT", 405),
    ("OPTIONS /callback?code=1&state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT", 405),
    ("PUT /callback?code=1&state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT", 405),
    ("GET /callback?code=1&state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nSec-Purpose: prefetch;prerender", 503),
    ("GET /callback?code=1&code=2&state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT", 400),
    ("GET /callback?code=1&state=ours&st%61te=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT", 400),
    ("GET /callback?code=%FF&state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT", 400),
    ("GET /callback?code=%C0%AF&state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT", 400),
    ("GET /callback?code=%4&state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT", 400),
    ("GET /callback?code=%zz&state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT", 400),
    ("GET /callback?state=ours HTTP/2.0\r\nHost: 127.0.0.1:PORT", 505),
    ("GET  /callback?state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT", 400),
    ("GET /callback?state=ours\r\nHost: 127.0.0.1:PORT", 400),
    ("GET /callback?state=ours HTTP/1.1\r\nHost : 127.0.0.1:PORT", 400),
    ("GET /callback?state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n folded: x", 400),
    ("GET /callback?state=ours HTTP/1.1\nHost: 127.0.0.1:PORT", 400),
    ("GET callback?state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT", 400),
    ("\u{16}\u{03}\u{01} TLS", 400),
    ("POST /callback HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\nstate=ours", 415),
    ("POST /callback HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 10\r\n\r\nstate=ours", 415),
    (Self.form, 411),
    (Self.form + "\r\nContent-Length: -1", 400),
    (Self.form + "\r\nContent-Length: 65537", 413),
    (Self.form + "\r\nContent-Length: 99999999999999999999", 413),
    ("POST /callback HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 1\r\nTransfer-Encoding: chunked", 501),
  ])
  func foreignRequestsAreRejected(_ head: String, status: Int) async throws {
    let (answer, log) = try await Self.answer(head + "\r\n\r\n")
    #expect(answer.status == status)
    #expect(log.requests.isEmpty)
    #expect(answer.field("Connection") == "close")
    #expect(answer.field("Cache-Control") == "no-store")
    #expect(answer.field("Content-Length") == String(answer.body.utf8.count))
    #expect((answer.field("Allow") == "GET, POST") == (status == 405))
  }

  @Test func theAbsoluteFormIsUnderstood() async throws {
    let (answer, log) = try await Self.answer(
      "GET http://127.0.0.1:PORT/callback?code=1&state=ours HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\n\r\n")
    #expect(answer.status == 200)
    #expect(log.requests.first?["code"] == "1")
  }

  @Test func aFormsOwnValuesWinOverTheQuery() async throws {
    let log = RedirectLog()
    let listener = try log.listen()
    defer { listener.close() }
    let browser = LoopbackBrowser(port: listener.port)
    let type = "Application/X-WWW-Form-URLEncoded; charset=UTF-8"
    #expect(await browser.post("/callback?state=theirs", "code=x%2By+z&state=ours", type: type)?.status == 200)
    #expect(log.requests.first?.parameters.map(\.value) == ["x+y z", "ours"])
    #expect(await browser.post("/callback?state=ours", "state=theirs")?.status == 404)
    #expect(await browser.post("/callback", "state=ours&code=" + String(repeating: "a", count: 60_000))?.status == 200)
    #expect(log.requests.last?["code"]?.count == 60_000)
    #expect(await browser.post("/callback", "state=ours&code=" + String(repeating: "a", count: 200_000))?.status == 413)
    #expect(log.requests.count == 2)
    // OpenID posts its form to an address whose query has our state.
    #expect(await browser.post("/callback?state=ours&x=1", "openid.mode=id_res&x=2")?.status == 200)
    #expect(log.requests.last?.parameters.map(\.value) == ["id_res", "2", "ours"])
    #expect(await browser.post("/callback?state=ours&state=ours", "openid.mode=id_res")?.status == 400)
  }

  @Test func piecesOfOneByteMakeARequest() async throws {
    let log = RedirectLog()
    let listener = try log.listen()
    defer { listener.close() }
    let host = "Host: 127.0.0.1:\(listener.port)\r\n"
    let browser = LoopbackBrowser(port: listener.port)
    #expect(await browser.send(raw: "GET /callback?state=ours HTTP/1.1\r\n\(host)\r\n", pieces: 1)?.status == 200)
    let form = "POST /callback HTTP/1.1\r\n\(host)Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\n\r\nstate=ours"
    #expect(await browser.send(raw: form, pieces: 1)?.status == 200)
    #expect(log.requests.count == 2)
  }

  @Test func aHeadHasALimit() async throws {
    let padding = { (count: Int) in "X: \(String(repeating: "x", count: count))" }
    let start = "GET /callback?state=ours HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n"
    #expect(try await Self.answer(start + padding(60_000) + "\r\n\r\n").answer.status == 200)
    #expect(try await Self.answer(start + padding(65_536) + "\r\n\r\n").answer.status == 431)
    #expect(try await Self.answer(start + padding(900_000)).answer.status == 431)
  }
}
