import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

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

  /// Feeds the answers to a discovery and returns the services and the requested addresses.
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

  /// Redirects change the claimed identifier. The document's redirects do not.
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
    // If the XRDS is missing or names no OpenID service, the page's own links are used.
    let withXRDS = page(Self.html, [HTTPHeader("X-XRDS-Location", "/x")])
    #expect(try discover(answers: [withXRDS, HTTPResponse(status: 404)]).services == expected)
    #expect(try discover(answers: [withXRDS, yadis("<x:XRDS xmlns:x='xri://$xrds'/>")]).services == expected)
  }

  @Test func loops() {
    let loop = [HTTPResponse](repeating: moved("/"), count: 10)
    #expect(kind(loop) == .responseUntrusted && kind(Array(loop.prefix(5)) + [yadis()]) == nil)
    #expect(kind(Array(loop.prefix(6)) + [yadis()]) == .responseUntrusted)
    // A document that names another document is still read as a document.
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
    #expect(kind([page("<p>nothing")]) == .unsupportedByProvider)
    #expect(
      kind([HTTPResponse(status: 404)]) == .authorizationServerError && kind([HTTPResponse(status: 302)]) == .authorizationServerError)
  }
  private static let unusable = [
    "<broken", "<!DOCTYPE x>" + xrds, "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>" + xrds, "<html>", "",
    "<x:XRDS xmlns:x='xri://$xrds'/>", xrds.replacing("https://op.example/e", with: "http://op.example/e"),
  ]

  /// 7.3: HTML is tried if Yadis finds no valid XRDS, or one that names no OpenID provider.
  @Test(arguments: unusable)
  func htmlWhereTheXRDSIsOfNoUse(document: String) throws {
    let named = try discover(answers: [page(Self.html, [HTTPHeader("X-XRDS-Location", "/x")]), yadis(document)])
    #expect(named.services.map(\.endpoint) == ["https://op.example/h", "https://op.example/1"] && named.asked.count == 2)
    // A client that prefers an XRDS may get another page. The HTML page is then requested.
    let negotiated = try discover(answers: [moved("/xrds"), yadis(document), moved("/page"), page(Self.html)])
    #expect(negotiated.services.map(\.endpoint) == ["https://op.example/h", "https://op.example/1"])
    #expect(negotiated.services.allSatisfy { $0.claimedId == "https://me.example/page" })
    #expect(negotiated.asked == ["https://me.example/", "https://me.example/xrds", "https://me.example/", "https://me.example/page"])
  }

  @Test func thePageIsAskedForAsOne() throws {
    var discovery = OpenIDDiscovery(try OpenIDIdentifier("https://me.example/"))
    _ = try discovery.read(yadis("<broken"))
    #expect(discovery.request.header("Accept") == "text/html, application/xhtml+xml" && discovery.request.maxBytes == 1 << 20)
  }

  /// If the page has no provider either, the error about the XRDS is reported.
  @Test(arguments: [
    ("<broken", OAuthFailure.Kind.responseUntrusted), ("<!DOCTYPE x>", .responseUntrusted),
    ("<x:XRDS xmlns:x='xri://$xrds'/>", .unsupportedByProvider),
  ])
  func nothingOnThePageEither(document: String, expected: OAuthFailure.Kind) {
    #expect(kind([page("<p>", [HTTPHeader("X-XRDS-Location", "/x")]), yadis(document)]) == expected)
    for last in [page("<p>nothing"), yadis(document), yadis()] { #expect(kind([yadis(document), last]) == expected) }
    #expect(kind([yadis("<broken"), HTTPResponse(status: 500)]) == .responseUntrusted)
    #expect(kind([yadis("<x:XRDS xmlns:x='xri://$xrds'/>"), HTTPResponse(status: 500)]) == .authorizationServerError)
  }

  /// A forbidden XRDS address is not followed. The page that names it may still name a provider.
  @Test(arguments: ["http://me.example/", "https://127.0.0.1/", "https://u@x.example/"])
  func anXRDSThatMayNotBeLookedUp(location: String) throws {
    let found = try discover(answers: [page(Self.html, [HTTPHeader("X-XRDS-Location", location)])])
    #expect(found.services.count == 2 && found.asked == ["https://me.example/"])
  }

  /// A forbidden provider in the page does not matter if the XRDS names a valid one.
  @Test func theXRDSComesFirst() throws {
    let unsafe = page("<link rel=openid2.provider href=http://op.example/h>", [HTTPHeader("X-XRDS-Location", "/x")])
    #expect(try discover(answers: [unsafe, yadis()]).services == [signon()])
    #expect(kind([unsafe, yadis("<broken")]) == .responseUntrusted)
  }

  @Test func loopsOfThePage() {
    let loop = [HTTPResponse](repeating: moved("/"), count: 10)
    #expect(kind([yadis("<x:XRDS xmlns:x='xri://$xrds'/>")] + loop) == .responseUntrusted)
    #expect(kind([yadis("<broken")] + Array(loop.prefix(5)) + [page(Self.html)]) == nil)
  }
}
