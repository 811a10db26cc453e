import Testing

@testable import OAuth

@Suite struct OpenIDDiscoveryTests {
  private static let xrds =
    "<xrds:XRDS xmlns:xrds='xri://$xrds' xmlns='xri://$xrd*($v*2.0)'><XRD><Service>"
    + "<Type>http://specs.openid.net/auth/2.0/signon</Type><URI>https://op.example/e</URI><LocalID>local</LocalID></Service></XRD></xrds:XRDS>"
  private static let html = "<link rel=openid2.provider href=https://op.example/h><link rel=openid.server href=https://op.example/1>"

  private func yadis(_ text: String = Self.xrds) -> HTTPResponse {
    HTTPResponse(status: 200, headers: [HTTPHeader("content-type", "Application/XRDS+XML ; charset=utf-8")], body: Array(text.utf8))
  }

  private func page(_ text: String, _ headers: [HTTPHeader] = []) -> HTTPResponse {
    HTTPResponse(status: 200, headers: [HTTPHeader("Content-Type", "text/html")] + headers, body: Array(text.utf8))
  }

  private func moved(_ location: String, _ status: Int = 302) -> HTTPResponse {
    HTTPResponse(status: status, headers: [HTTPHeader("Location", location)])
  }

  /// Plays the answers, and gives the services with the addresses that were asked.
  private func discover(
    _ identifier: String = "https://me.example/", _ answers: [HTTPResponse]
  ) throws(OAuthFailure) -> (services: [OpenIDService], asked: [String]) {
    var discovery = OpenIDDiscovery(try OpenIDIdentifier(identifier))
    var asked: [String] = []
    for answer in answers {
      asked.append(discovery.request.url)
      if case .found(let services) = try discovery.read(answer) { return (services, asked) }
    }
    throw OAuthFailure(.timedOut, "more was asked for: \(discovery.request.url)")
  }

  private func kind(_ answers: [HTTPResponse], _ identifier: String = "https://me.example/") -> OAuthFailure.Kind? {
    do throws(OAuthFailure) {
      _ = try discover(identifier, answers)
      return nil
    } catch {
      return error.kind
    }
  }

  private func signon(_ claimed: String = "https://me.example/") -> OpenIDService {
    OpenIDService(kind: .signon, endpoint: "https://op.example/e", claimedId: claimed, localId: "local")
  }

  @Test func yadisInOneStep() throws {
    var discovery = OpenIDDiscovery(try OpenIDIdentifier("https://me.example/"))
    #expect(discovery.request.method == "GET" && discovery.request.header("Accept")?.hasPrefix("application/xrds+xml") == true)
    #expect(discovery.request.maxBytes == 1 << 20)
    guard case .found(let services) = try discovery.read(yadis()) else { return #expect(Bool(false)) }
    #expect(services == [signon()])
  }

  @Test func yadisByHeaderAndByMeta() throws {
    let header = try discover(answers: [page("", [HTTPHeader("x-xrds-location", "/x?y")]), yadis()])
    #expect(header.services == [signon()] && header.asked == ["https://me.example/", "https://me.example/x?y"])
    let meta = try discover(answers: [page("<meta http-equiv='X-XRDS-Location' content='https://other.example/x'>"), yadis()])
    #expect(meta.services == [signon()] && meta.asked[1] == "https://other.example/x")
  }

  private func discover(answers: [HTTPResponse]) throws(OAuthFailure) -> (services: [OpenIDService], asked: [String]) {
    try discover("https://me.example/", answers)
  }

  /// The claimed identifier is where redirects lead; those of the document do not change it.
  @Test func redirects() throws {
    let found = try discover(
      answers: [
        moved("/~you#x"), moved("https://you.example", 301), page("", [HTTPHeader("X-XRDS-Location", "x")]), moved("y", 307), yadis(),
      ])
    #expect(found.services == [signon("https://you.example/")])
    #expect(found.asked.suffix(3) == ["https://you.example", "https://you.example/x", "https://you.example/y"])
  }

  @Test func html() throws {
    let expected = [
      OpenIDService(kind: .signon, endpoint: "https://op.example/h", claimedId: "https://me.example/"),
      OpenIDService(kind: .signon1, endpoint: "https://op.example/1", claimedId: "https://me.example/"),
    ]
    #expect(try discover(answers: [page(Self.html)]).services == expected)
    // An XRDS that is gone, or that knows no OpenID, leaves what the page says itself.
    let withXRDS = page(Self.html, [HTTPHeader("X-XRDS-Location", "/x")])
    #expect(try discover(answers: [withXRDS, HTTPResponse(status: 404)]).services == expected)
    #expect(try discover(answers: [withXRDS, yadis("<x:XRDS xmlns:x='xri://$xrds'/>")]).services == expected)
  }

  @Test func loops() {
    let loop = [HTTPResponse](repeating: moved("/"), count: 10)
    #expect(kind(loop) == .responseUntrusted && kind(Array(loop.prefix(5)) + [yadis()]) == nil)
    #expect(kind(Array(loop.prefix(6)) + [yadis()]) == .responseUntrusted)
    // A document that names another is read as a document all the same.
    #expect(kind([page("", [HTTPHeader("X-XRDS-Location", "/a")]), page("", [HTTPHeader("X-XRDS-Location", "/b")])]) == .responseUntrusted)
  }

  @Test(arguments: [
    "http://me.example/", "http://127.0.0.1/", "https://127.0.0.1/", "https://localhost:1/", "https://u@x.example/", "ftp://x/",
    "https://a b/",
  ])
  func astray(location: String) {
    #expect(kind([moved(location), yadis()]) == .responseUntrusted)
    #expect(kind([page("", [HTTPHeader("X-XRDS-Location", location)]), yadis()]) == .responseUntrusted)
    #expect(kind([page("<link rel=openid2.provider href='\(location)'>")]) == .responseUntrusted)
  }

  @Test func onThisMachine() throws {
    let found = try discover("http://127.0.0.1:1/", [page("<link rel=openid2.provider href=http://127.0.0.1:2/>")])
    #expect(found.services.map(\.endpoint) == ["http://127.0.0.1:2/"])
  }

  @Test func failures() {
    #expect(
      kind([page("<p>nothing")]) == .unsupportedByProvider && kind([yadis("<x:XRDS xmlns:x='xri://$xrds'/>")]) == .unsupportedByProvider)
    #expect(
      kind([HTTPResponse(status: 404)]) == .authorizationServerError && kind([HTTPResponse(status: 302)]) == .authorizationServerError)
    #expect(kind([yadis("<!DOCTYPE x>" + Self.xrds)]) == .responseUntrusted && kind([yadis("<html>")]) == .responseUntrusted)
    // A document that cannot be read is not passed over for what the page says.
    #expect(kind([page(Self.html, [HTTPHeader("X-XRDS-Location", "/x")]), yadis("<!DOCTYPE x>")]) == .responseUntrusted)
  }
}
