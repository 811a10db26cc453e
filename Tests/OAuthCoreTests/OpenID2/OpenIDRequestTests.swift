import Jansson
import Testing

@testable import OAuthCore

@Suite struct OpenIDRequestTests {
  private func query(_ url: String?) -> [String] {
    guard let url, let query = try? URLParts(url).query else { return [] }
    return FormEncoding.decodeLeniently(query).map { "\($0.0)=\($0.1)" }
  }

  @Test func identifierSelect() {
    var request = OpenIDAuthenticationRequest(
      endpoint: "https://op.example/e?x=1", returnTo: "http://127.0.0.1:1/cb?state=s")
    request.realm = "http://127.0.0.1:1/cb"
    #expect(
      query(request.url) == [
        "x=1", "openid.ns=http://specs.openid.net/auth/2.0", "openid.mode=checkid_setup",
        "openid.claimed_id=http://specs.openid.net/auth/2.0/identifier_select",
        "openid.identity=http://specs.openid.net/auth/2.0/identifier_select", "openid.return_to=http://127.0.0.1:1/cb?state=s",
        "openid.realm=http://127.0.0.1:1/cb",
      ])
    #expect(request.url?.hasPrefix("https://op.example/e?x=1&openid.ns=http%3A%2F%2Fspecs.openid.net%2Fauth%2F2.0&") == true)
  }

  @Test func extensions() {
    var request = OpenIDAuthenticationRequest(
      endpoint: "https://op.example/", returnTo: "https://app.example/")
    request.attributes = AttributeExchange(required: [("email", "urn:email"), ("name", "urn:name")])
    request.parameters = [("openid.ui.lang", "de"), ("openid.return_to", "https://evil.example/"), ("openid.mode", "x")]
    #expect(
      query(request.url).dropFirst(6) == [
        "openid.ns.ax=http://openid.net/srv/ax/1.0", "openid.ax.mode=fetch_request", "openid.ax.type.email=urn:email",
        "openid.ax.type.name=urn:name", "openid.ax.required=email,name", "openid.ui.lang=de",
      ])
  }

  /// As SparkiOS built it, byte for byte.
  @Test func bare() {
    var request = OpenIDAuthenticationRequest(
      endpoint: "https://sparkplatform.com/openid",
      returnTo: "https://sparkplatform.com/oauth2/callback")
    request.dialect = .bare
    request.client = [("openid.spark.client_id", "a&b")]
    let plain =
      "https://sparkplatform.com/openid?openid.mode=checkid_setup&openid.spark.client_id=a%26b"
      + "&openid.return_to=https%3A%2F%2Fsparkplatform.com%2Foauth2%2Fcallback"
    #expect(request.url == plain)
    request.parameters = [("openid.spark.combined_flow", "true")]
    #expect(request.url == plain + "&openid.spark.combined_flow=true")
    request.attributes = AttributeExchange(required: [
      ("first_name", "http://openid.net/schema/namePerson/first"), ("id", "http://openid.net/schema/person/guid"),
    ])
    #expect(
      request.url == plain + "&openid.ax.mode=fetch_request"
        + "&openid.ax.type.first_name=http%3A%2F%2Fopenid.net%2Fschema%2FnamePerson%2Ffirst"
        + "&openid.ax.type.id=http%3A%2F%2Fopenid.net%2Fschema%2Fperson%2Fguid&openid.ax.required=first_name%2Cid"
        + "&openid.spark.combined_flow=true")
  }

  // MARK: The user's attributes

  private func signed(_ query: String) -> OpenIDMessage {
    OpenIDMessage(FormEncoding.decodeLeniently(query).map { (name: $0.0, value: $0.1) })
  }
  private let wanted = AttributeExchange(required: [("email", "urn:email"), ("name", "urn:name")])

  private func values(_ query: String) -> [String] { wanted.values(in: signed(query)).map { "\($0.name)=\($0.value)" } }

  /// Values with and without counts, under the provider's aliases or ours, and with any alias for the extension.
  @Test func attributeValues() {
    #expect(values("ns.ax=http://openid.net/srv/ax/1.0&ax.type.email=urn:email&ax.value.email=a") == ["email=a"])
    #expect(
      values("ns.e=http://openid.net/srv/ax/1.0&e.type.x=urn:email&e.count.x=2&e.value.x.1=a&e.value.x.2=b&e.type.y=urn:name&e.value.y=n")
        == ["email=a", "name=n"])
    #expect(values("ns.ax=http://openid.net/srv/ax/1.0&ax.type.email=urn:email&ax.count.email=1&ax.value.email=a") == ["email=a"])
    #expect(values("ns.ax=http://openid.net/srv/ax/1.0&ax.type.email=urn:email&ax.count.email=0").isEmpty)
    // Spark's clients receive neither namespace nor types.
    #expect(values("ax.value.email=a&ax.value.name=n") == ["email=a", "name=n"])
    // Another extension under the alias, or another type under ours, was not requested and is ignored.
    #expect(values("ns.ax=urn:other&ax.value.email=a").isEmpty)
    #expect(values("ns.ax=http://openid.net/srv/ax/1.0&ax.type.email=urn:other&ax.value.email=a").isEmpty)
  }

  @Test(arguments: [
    ("{\"openidAttributes\":{\"required\":{\"a.b\":\"urn:x\"}}}", "/openidAttributes/required/a.b"),
    ("{\"openidAttributes\":{\"required\":{\"a,b\":\"urn:x\"}}}", "/openidAttributes/required/a,b"),
    ("{\"openidAttributes\":{\"required\":{\"a\":\"x\"}}}", "/openidAttributes/required/a"),
    ("{\"openidAttributes\":{\"counts\":{\"a\":\"2\"}}}", "/openidAttributes/counts"),
    ("{\"openidAssociation\":\"none\"}", "/openidAssociation"),
    ("{\"openidCodeParameter\":\"code\"}", "/openidCodeParameter"), ("{\"openidEndpoint\":\"http://op.example/\"}", "/openidEndpoint"),
    ("{\"openidIdentifier\":\"https://x.example/\"}", "/openidIdentifier"),
  ])
  func descriptions(text: String, path: String) throws {
    let json = try JSON.parse(Array(text.utf8))
    #expect { try Provider.decode(json) } throws: { ($0 as? FieldError)?.path == path }
  }
}
