import TestSupport
import Testing

@testable import OAuthCore
@testable import Signatures

/// Expected results from GTMOAuth's own tests.
@Suite struct GTMOAuthVectorTests {
  @Test(arguments: [
    ("%", "%25"), ("+", "%2B"), ("&=*", "%26%3D%2A"), ("\n", "%0A"), (" ", "%20"), ("\u{7F}", "%7F"), ("\u{80}", "%C2%80"),
    ("\u{3001}", "%E3%80%81"), ("-._~aZ09", "-._~aZ09"),
  ])
  func encoding(text: String, wanted: String) {
    #expect(PercentEncoding.encode(text) == wanted)
  }

  @Test(arguments: [
    ("name", "name="), ("a=x!y&a=x+y", "a=x%20y&a=x%21y"), ("x!y=a&x=a", "x=a&x%21y=a"), ("", ""), ("&&a&&", "a="),
    ("a=%7e%zz%", "a=~%25zz%25"), ("a=%ff", "a=%FF"),
  ])
  func normalizing(form: String, wanted: String) {
    var parameters = EncodedParameters()
    parameters.add(form: form.utf8)
    parameters.sort()
    #expect(parameters.pairs.map { $0.name + "=" + $0.value }.joined(separator: "&") == wanted)
  }

  @Test(arguments: [
    ("", nil, "", "5CoEcoq7XoKFjwYCieQvuzadeUA="), ("cs", nil, "bs", "egQqG5AJep5sJ7anhXju1unge2I="),
    ("cs", "ts", "bs", "VZVjXceV7JgPq/dOTnNmEfO0Fv8="),
  ])
  func codes(consumerSecret: String, tokenSecret: String?, text: String, wanted: String) throws {
    let client = OAuth1Client(consumerKey: "", consumerSecret: Secret(consumerSecret))
    #expect(try SignatureMethod.hmacSHA1.signature(of: Array(text.utf8), client, tokenSecret: tokenSecret.map(Secret.init)) == wanted)
  }

  private func request(
    _ token: String, _ secret: String, _ timestamp: Int64, _ nonce: String, placement: SignaturePlacement, form: String? = nil
  ) -> OAuth1Request {
    let client = OAuth1Client(consumerKey: "anonymous", consumerSecret: Secret("anonymous"), placement: placement)
    let http = HTTPRequest(
      method: form == nil ? "GET" : "POST", url: "http://www.google.com/m8/feeds/contacts/default/thin",
      headers: form == nil ? [] : [OAuth1Fixture.form], body: form.map { .bytes(Array($0.utf8)) } ?? .none)
    return OAuth1Request(http, client: client, token: OAuth1Fixture.token(token, secret), nonce: nonce, timestamp: timestamp)
  }

  @Test func header() throws {
    let request = request(
      "1/t879BQIwF6nl1Yb4HN5sPoUbp8r5fwTt1lS5R9Z4ST8", "qFm4CwGplmGKUtKwD0JTBK5e", 1_272_418_292, "133475076490566881", placement: .header)
    #expect(
      try request.signed().authorization
        == "OAuth oauth_consumer_key=\"anonymous\", oauth_token=\"1%2Ft879BQIwF6nl1Yb4HN5sPoUbp8r5fwTt1lS5R9Z4ST8\", "
        + "oauth_signature_method=\"HMAC-SHA1\", oauth_version=\"1.0\", oauth_nonce=\"133475076490566881\", "
        + "oauth_timestamp=\"1272418292\", oauth_signature=\"mwa8C1Rqb1uKxaAvfjuErn7m1ck%3D\"")
  }

  @Test func query() throws {
    let request = request(
      "1/X8VjGxlhq86xq7DJMRlOE5shlnu_sLMJUKLxGDOHItw", "TovvPxLfea3h79AKsyZv4aZG", 1_272_419_916, "12380151942758697516", placement: .query)
    #expect(
      try request.signed().url == "http://www.google.com/m8/feeds/contacts/default/thin?oauth_consumer_key=anonymous"
        + "&oauth_token=1%2FX8VjGxlhq86xq7DJMRlOE5shlnu_sLMJUKLxGDOHItw&oauth_signature_method=HMAC-SHA1&oauth_version=1.0"
        + "&oauth_nonce=12380151942758697516&oauth_timestamp=1272419916&oauth_signature=CbyN79VjyXiwXHCN6RKNB2LMUAk%3D")
  }

  @Test(arguments: [SignaturePlacement.header, .body])
  func form(placement: SignaturePlacement) throws {
    let request = request(
      "1/Yqki9fVv6ZPlzXxhUPdZ6BRZ0uGZ3SbtSQXVao1lyFs", "G0W9NfgJSzR9hPNv3ZR13VJk", 1_274_732_913, "4429455094440490103",
      placement: placement, form: "zparam=foo&aparam=bar")
    let signed = try request.signed()
    if placement == .header {
      #expect(signed.protocolParameter("oauth_signature") == "l9M7sp2EwV7H/Z6VKsxOiMg+cz4=")
      #expect(signed.bodyText == "zparam=foo&aparam=bar")
    } else {
      #expect(signed.authorization == nil)
      #expect(signed.bodyText?.hasPrefix("zparam=foo&aparam=bar&oauth_consumer_key=anonymous&") == true)
      #expect(signed.bodyText?.hasSuffix("&oauth_signature=l9M7sp2EwV7H%2FZ6VKsxOiMg%2Bcz4%3D") == true)
    }
  }

  @Test(arguments: [
    ("foo", [("foo", "")]), ("=foo&cat=dog&=bird", [("cat", "dog")]), ("baz=cat=dog", [("baz", "cat=dog")]),
    ("a%20b=c%2Bd+e", [("a b", "c+d+e")]), ("", []), ("a=%zz", [("a", "%zz")]),
  ])
  func responses(text: String, wanted: [(String, String)]) {
    #expect(OAuth1Form.decode(text.utf8) == wanted.map { OAuth1Parameter($0.0, $0.1) })
  }
}
