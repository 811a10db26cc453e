import Crypto
import TestSupport
import Testing

@testable import OAuthCore
@testable import Signatures

@Suite struct OAuth1RequestTests {
  private typealias Fixture = OAuth1Fixture

  private func failure(_ request: OAuth1Request) -> OAuthFailure? {
    do throws(OAuthFailure) {
      _ = try request.signed()
      return nil
    } catch {
      return error
    }
  }

  @Test func urlIsKeptAndFragmentDropped() throws {
    let signed = try Fixture.request("GET", "https://Example.com:443/a%2Fb/%7e?x=%7e+&x#frag").signed()
    #expect(signed.url == "https://example.com:443/a%2Fb/%7e?x=%7e+&x")
  }

  @Test func stepsParametersGoIntoTheQueryAndAreSigned() throws {
    let client = OAuth1Client(consumerKey: "key", consumerSecret: Secret("secret"))
    let extra = [OAuth1Parameter("scope", "a b"), OAuth1Parameter("xoauth_displayname", "Ü"), OAuth1Parameter("oauth_x", "1")]
    let request = OAuth1Request(
      .toTokenEndpoint("https://example.com/initiate?k=1", "GET"), client: client, parameters: extra, nonce: "n", timestamp: 1)
    let signed = try request.signed()
    #expect(signed.url == "https://example.com/initiate?k=1&scope=a%20b&xoauth_displayname=%C3%9C")
    #expect(signed.protocolParameter("oauth_x") == "1")
    #expect(signed.protocolParameter("oauth_token") == nil)
    let base = try #require(try request.maskedBaseString())
    #expect(base.contains("%26scope%3Da%2520b%26") && base.hasSuffix("%26xoauth_displayname%3D%25C3%259C"))
  }

  @Test func stepsParametersGoIntoTheForm() throws {
    let client = OAuth1Client(consumerKey: "key", placement: .body)
    let request = OAuth1Request(
      .toTokenEndpoint("https://example.com/initiate", "POST"), client: client,
      parameters: [OAuth1Parameter("oauth_callback", "http://127.0.0.1:1/cb"), OAuth1Parameter("scope", "a b")], nonce: "n", timestamp: 1)
    let signed = try request.signed()
    #expect(signed.url == "https://example.com/initiate")
    #expect(signed.headers == [Fixture.form])
    #expect(signed.bodyText?.hasPrefix("scope=a%20b&oauth_consumer_key=key&") == true)
    #expect(signed.bodyText?.contains("&oauth_callback=http%3A%2F%2F127.0.0.1%3A1%2Fcb&") == true)
  }

  @Test func theBodyGivesWayToTheHeader() throws {
    let json = HTTPHeader("Content-Type", "application/json")
    for request in [
      Fixture.request("GET") { $0.placement = .body }, Fixture.request("HEAD") { $0.placement = .body },
      Fixture.request("POST", headers: [json], body: "{}") { $0.placement = .body },
      Fixture.request("POST", body: "x=y") { $0.placement = .body },
    ] {
      let signed = try request.signed()
      #expect(signed.authorization != nil)
      #expect(signed.bodyText == request.request.bodyText)
    }
  }

  @Test func postToATokenEndpointHasALength() throws {
    let request = OAuth1Request(
      .toTokenEndpoint("https://example.com/t", "POST"), client: OAuth1Client(consumerKey: "k"), token: Fixture.token("t", "s"),
      parameters: [OAuth1Parameter("oauth_session_handle", "h+/")], nonce: "n", timestamp: 1)
    #expect(try request.signed().bodyText == "")
    #expect(try request.signed().protocolParameter("oauth_session_handle") == "h+/")
  }

  @Test func realmIsQuotedAndNotSigned() throws {
    let plain = try Fixture.request().signed()
    let realm = try Fixture.request { $0.realm = "a \"b\"\\" }.signed()
    #expect(realm.authorization?.hasPrefix("OAuth realm=\"a \\\"b\\\"\\\\\", oauth_consumer_key=") == true)
    #expect(realm.protocolParameter("oauth_signature") == plain.protocolParameter("oauth_signature"))
    #expect(failure(Fixture.request { $0.realm = "a\r\nX: y" })?["path"] == "/provider/realm")
    let query = Fixture.request {
      $0.realm = "r"
      $0.placement = .query
    }
    #expect(try !query.signed().url.contains("realm"))
  }

  @Test func callersAuthorizationGivesWay() throws {
    let signed = try Fixture.request(headers: [HTTPHeader("authorization", "Bearer x"), HTTPHeader("X-A", "b")]).signed()
    #expect(signed.headers.count == 2)
    #expect(signed.headers.allSatisfy { !$0.value.contains("Bearer") })
  }

  @Test(arguments: [
    "https://example.com/r?oauth_nonce=1", "https://example.com/r?a=b&oauth%5Fsignature=x", "https://example.com/r?oauth_a&oauth_a",
  ])
  func excessParameters(url: String) {
    #expect(failure(Fixture.request("GET", url))?.kind == .configurationInvalid)
    #expect(failure(Fixture.request("POST", headers: [Fixture.form], body: String(url.split(separator: "?")[1])))?["path"] == "/url")
  }

  @Test(arguments: ["", "/r", "ftp://example.com/", "com.example:/cb", "https://user:pw@example.com/", "https://example.com/a b"])
  func urlsThatCannotBeSigned(url: String) {
    #expect(failure(Fixture.request("GET", url))?["path"] == "/url")
  }

  @Test func plaintextNeedsTLS() throws {
    #expect(failure(Fixture.request("GET", "http://example.com/") { $0.signatureMethod = .plaintext })?.kind == .configurationInvalid)
    #expect(failure(Fixture.request("GET", "http://127.0.0.1:1/") { $0.signatureMethod = .plaintext }) == nil)
    #expect(failure(Fixture.request("GET", "https://example.com/") { $0.signatureMethod = .plaintext }) == nil)
  }

  @Test func filesThatWouldHaveToBeRead() {
    var request = Fixture.request("POST", headers: [Fixture.form])
    request.request.body = .file(path: "/x")
    #expect(failure(request)?["path"] == "/body")
    request.request.headers = []
    #expect(failure(request) == nil)
  }

  @Test func rsaNeedsAKey() {
    #expect(failure(Fixture.request { $0.signatureMethod = .rsaSHA256 })?["path"] == "/provider/privateKey")
  }

  @Test func keysThatCannotBeRead() throws {
    let pem = String(decoding: try Fixture.file("testcases.pem"), as: UTF8.self)
    for broken in [
      "", "x", pem.replacingFirst("PRIVATE KEY", by: "PUBLIC KEY"), pem.replacingFirst("MIICdg", by: "MIICdq"), String(pem.prefix(400)),
      P256.Signing.PrivateKey().pemRepresentation,
    ] {
      do throws(OAuthFailure) {
        _ = try RSAPrivateKey(pem: Secret(broken))
        Issue.record("a broken key was read")
      } catch {
        #expect(error.kind == .configurationInvalid)
        #expect(!error.message.contains("MIIC"))
      }
    }
    let indented = pem.split(separator: "\n").map { "  \($0)\r\n" }.joined()
    #expect("\(try RSAPrivateKey(pem: Secret(indented)))" == "…")
  }

  @Test func anotherNonceIsAnotherSignature() throws {
    var request = Fixture.request()
    let first = try request.signed().protocolParameter("oauth_signature")
    request.nonce = "other"
    let second = try request.signed().protocolParameter("oauth_signature")
    request.request.url = "https://example.com/elsewhere"
    #expect(first != second)
    #expect(try request.signed().protocolParameter("oauth_signature") != second)
  }
}

extension String {
  fileprivate func replacingFirst(_ text: String, by other: String) -> String {
    guard let range = firstRange(of: text) else { return self }
    return self[..<range.lowerBound] + other + self[range.upperBound...]
  }
}
