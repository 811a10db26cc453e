import Jansson
import Testing

@testable import OAuthCore
@testable import Plans
@testable import Platform

/// The metadata that authorization servers and resources publish, and its limits.
struct MetadataTests {
  private func server(_ issuer: String, _ more: String = "", of asked: String) throws -> JSON {
    let body = #"{"issuer":"\#(issuer)","token_endpoint":"https://id.example/token"\#(more)}"#
    return .object(try MetadataDocument(Array(body.utf8), of: URLParts(asked)).serverDescription(of: URLParts(asked)))
  }

  private func resource(_ named: String, of asked: String) throws -> MetadataDocument.Resource {
    let body = #"{"resource":"\#(named)","authorization_servers":["https://id.example"],"scopes_supported":[]}"#
    return try MetadataDocument.Resource(Array(body.utf8), of: URLParts(asked))
  }

  @Test(arguments: [
    ("https://id.example", "https://id.example/"), ("https://id.example/", "https://id.example"),
    ("https://id.example/t1", "https://id.example/t1/"), ("https://id.example/{tenantid}/v2.0", "https://id.example/common/v2.0"),
  ])
  func theIssuerIsTheOneThatWasAsked(issuer: String, asked: String) throws {
    #expect(try server(issuer, of: asked)["issuer"] == .string(issuer))
  }

  @Test(arguments: [
    ("https://evil.example", "https://id.example"), ("https://id.example/t2", "https://id.example/t1"),
    ("https://id.example.evil.example", "https://id.example"), ("https://id.example/{tenantid}/v2.0", "https://id.example/a/b/v2.0"),
    ("http://id.example", "https://id.example"),
  ])
  func anotherIssuerIsNotBelieved(issuer: String, asked: String) {
    #expect(throws: OAuthFailure.self) { try server(issuer, of: asked) }
  }

  @Test(
    arguments: [
      ("", nil), (#","token_endpoint_auth_methods_supported":["client_secret_post","client_secret_basic"]"#, "probe"),
      (#","token_endpoint_auth_methods_supported":["client_secret_basic"]"#, "basic"),
      (#","token_endpoint_auth_methods_supported":["private_key_jwt","client_secret_post"]"#, "body"),
      (#","token_endpoint_auth_methods_supported":["tls_client_auth"]"#, "tlsClientAuth"),
      (#","token_endpoint_auth_methods_supported":["self_signed_tls_client_auth"]"#, "selfSignedTlsClientAuth"),
      (#","token_endpoint_auth_methods_supported":["none"]"#, "none"), (#","token_endpoint_auth_methods_supported":null"#, nil),
      (#","token_endpoint_auth_methods_supported":["none","private_key_jwt"]"#, nil),
      (#","token_endpoint_auth_methods_supported":["client_secret_jwt","private_key_jwt"]"#, "privateKeyJwt"),
      (#","token_endpoint_auth_methods_supported":["client_secret_jwt"]"#, "clientSecretJwt"),
    ] as [(String, String?)])
  func theClientShowsWhoItIsInAWayThatIsTaken(more: String, way: String?) throws {
    #expect(try server("https://id.example", more, of: "https://id.example")["clientAuthentication"] == way.map { .string($0) })
  }

  @Test(arguments: [
    "", #","code_challenge_methods_supported":["plain","S256"]"#, #","code_challenge_methods_supported":[]"#,
    #","code_challenge_methods_supported":["plain"]"#,
  ])
  func metadataNeverSwitchesTheChallengeOff(more: String) throws {
    #expect(try server("https://id.example", more, of: "https://id.example")["pkce"] == nil)
  }

  @Test(arguments: [
    (#","revocation_endpoint":"http://id.example/r""#, "has a wrong revocation_endpoint: it must be an https URL"),
    (#","jwks_uri":7"#, "has a jwks_uri that is not a string"),
    (#","token_endpoint_auth_methods_supported":"none""#, "that is not a list"),
    (#","code_challenge_methods_supported":["S256",1]"#, "with values other than strings"),
  ])
  func theErrorNamesUnsupportedMetadata(more: String, part: String) {
    let failure = #expect(throws: OAuthFailure.self) { try server("https://id.example", more, of: "https://id.example") }
    #expect(failure?.message.contains(part) == true, "\(failure?.message ?? "")")
  }

  @Test(arguments: [("https://10.0.0.1/t", false), ("http://id.example/t", false), ("https://mtls.id.example/t", true)])
  func anAliasThatCannotBeUsedIsLeftOut(alias: String, isTaken: Bool) throws {
    let found = try server("https://id.example", #","mtls_endpoint_aliases":{"token_endpoint":"\#(alias)"}"#, of: "https://id.example")
    #expect(found["mtlsEndpoints"]?["tokenEndpoint"]?.string == (isTaken ? alias : nil))
  }

  @Test func requestsArePushedWhereTheyHaveToBe() throws {
    let endpoint = #","pushed_authorization_request_endpoint":"https://id.example/par""#
    #expect(try server("https://id.example", endpoint, of: "https://id.example")["pushedAuthorizationRequests"] == nil)
    let required = endpoint + #","require_pushed_authorization_requests":true"#
    #expect(try server("https://id.example", required, of: "https://id.example")["pushedAuthorizationRequests"] == "on")
  }

  @Test(arguments: [
    ("https://api.example", "https://api.example/mcp"), ("https://api.example/", "https://api.example"),
    ("https://api.example/mcp", "https://api.example/mcp"), ("https://api.example/mcp", "https://api.example/mcp/tools"),
  ])
  func aResourceIsTheOneThatIsUsedOrHoldsIt(named: String, asked: String) throws {
    #expect(try resource(named, of: asked).resource == named)
  }

  @Test(arguments: [
    ("https://evil.example/mcp", "https://api.example/mcp"), ("https://api.example/mcp", "https://api.example/mc"),
    ("https://api.example/mc", "https://api.example/mcp"), ("http://api.example/mcp", "https://api.example/mcp"),
    ("https://api.example/mcp#x", "https://api.example/mcp"), ("mcp", "https://api.example/mcp"),
  ])
  func anotherResourceIsNotBelieved(named: String, asked: String) {
    #expect(throws: OAuthFailure.self) { try resource(named, of: asked) }
  }

  @Test func noScopesMeanThatNoneAreAskedFor() throws {
    let known = try resource("https://api.example:8443/mcp", of: "https://api.example:8443/mcp")
    let description = JSON.object(known.description(over: [], scopes: []))
    #expect(description["scopes"] == nil)
    #expect(description["apiHosts"] == ["api.example:8443"])
    #expect(known.scopes == [] && JSON.object(known.description(over: [], scopes: ["a"]))["scopes"] == ["a"])
  }

  /// Services on this machine and in its network would treat this process's requests as their user's. A public server must not cause them.
  @Test(arguments: [
    ("http://127.0.0.1:9/x", "on this machine"), ("https://localhost/x", "on this machine"), ("https://127.1/x", "on this machine"),
    ("https://[::ffff:127.0.0.1]/x", "on this machine"), ("https://10.0.0.1/x", "in a private network"),
    ("https://169.254.169.254/x", "in a private network"), ("https://[fd00::1]/x", "in a private network"),
  ])
  func aPublicServerNamesNoPlaceFurtherInside(place: String, problem: String) throws {
    let failure = #expect(throws: OAuthFailure.self) {
      try server("https://id.example", #","registration_endpoint":"\#(place)""#, of: "https://id.example")
    }
    #expect(failure?.message.contains("a wrong registration_endpoint: it is \(problem)") == true, "\(failure?.message ?? "")")
    #expect(throws: OAuthFailure.self) {
      try MetadataDocument.Resource(
        Array(#"{"resource":"https://api.example","authorization_servers":["\#(place)"]}"#.utf8), of: URLParts("https://api.example"))
    }
    _ = try server("http://127.0.0.1:8", #","registration_endpoint":"http://127.0.0.1:9/x""#, of: "http://127.0.0.1:8")
    _ = try server("https://10.0.0.1", #","registration_endpoint":"https://192.168.1.1/x""#, of: "https://10.0.0.1")
  }

  /// Only descriptions may have placeholders. In published metadata, a server could have them filled in.
  @Test(arguments: [#"jwks_uri":"https://id.example/{clientId}"#, #"userinfo_endpoint":"https://id.example/{x}"#])
  func nothingIsFilledIn(member: String) {
    let failure = #expect(throws: OAuthFailure.self) { try server("https://id.example", #","\#(member)""#, of: "https://id.example") }
    #expect(failure?.message.contains("contains braces") == true, "\(failure?.message ?? "")")
    #expect(throws: OAuthFailure.self) { try resource("https://api.example/{x}", of: "https://api.example/{x}") }
  }

  /// The name appears on pages and in terminals. An unprintable name is left out, and the resource remains usable.
  @Test(
    arguments: [
      (#"The Tools 🛠"#, "The Tools 🛠"), (#"a\u0085b"#, nil), (#"a\u202eb"#, nil), (#"a\u2028b"#, nil), (#"a\nb"#, nil),
      (String(repeating: "x", count: 101), nil),
    ] as [(String, String?)])
  func unprintableNamesAreLeftOut(name: String, shown: String?) throws {
    let body = #"{"resource":"https://api.example","authorization_servers":["https://id.example"],"resource_name":"\#(name)"}"#
    let known = try MetadataDocument.Resource(Array(body.utf8), of: URLParts("https://api.example"))
    #expect(JSON.object(known.description(over: [], scopes: []))["name"] == shown.map { .string($0) })
  }

  @Test func invalidScopesAreNotAskedFor() throws {
    let body =
      #"{"resource":"https://api.example","authorization_servers":["x:","https://id.example/a","https://id.example/b"],"#
      + #""scopes_supported":["a b","","c\u0001","d\"","e:f"]}"#
    let known = try MetadataDocument.Resource(Array(body.utf8), of: URLParts("https://api.example"))
    #expect(known.scopes == ["e:f"])
    #expect(known.servers.map(\.path) == ["/a", "/b"])
  }

  @Test func aNumberTooLargeIsNoReason() throws {
    #expect(try server("https://id.example", #","x":123456789012345678901234567890"#, of: "https://id.example")["issuer"] != nil)
  }

  @Test func placesAreThoseOfTheSpecifications() throws {
    #expect(
      MetadataDocument.WellKnown.server(try URLParts("https://id.example:8443/t/1/")).flatMap(\.self) == [
        "https://id.example:8443/.well-known/oauth-authorization-server/t/1",
        "https://id.example:8443/t/1/.well-known/openid-configuration",
        "https://id.example:8443/.well-known/openid-configuration/t/1",
        "https://id.example:8443/t/1/.well-known/oauth-authorization-server",
      ])
    #expect(MetadataDocument.WellKnown.server(try URLParts("https://id.example/")).count == 2)
    #expect(
      MetadataDocument.WellKnown.resource(try URLParts("https://api.example/mcp?k=1")) == [
        "https://api.example/.well-known/oauth-protected-resource/mcp?k=1", "https://api.example/.well-known/oauth-protected-resource",
      ])
  }

  @Test(
    arguments: [
      ("https://id.example/.well-known/openid-configuration", "https://id.example"),
      ("https://id.example/t/.well-known/openid-configuration", "https://id.example/t"),
      ("https://id.example:8443/.well-known/oauth-authorization-server/t/1", "https://id.example:8443/t/1"),
      ("https://api.example/.well-known/oauth-protected-resource/mcp?k=1", "https://api.example/mcp?k=1"),
      ("https://id.example/.well-known/openid-configurations", nil), ("https://id.example/.well-known/webfinger", nil),
      ("https://id.example/", nil),
    ] as [(String, String?)])
  func aPastedPlaceNamesItsSubject(url: String, subject: String?) throws {
    #expect(MetadataDocument.WellKnown.subject(of: try URLParts(url))?.description == subject)
  }

  @Test func whatIsNotSupportedIsRejected() {
    let member = #""token_endpoint_auth_methods_supported":["attest_jwt_client_auth"]"#
    let failure = #expect(throws: OAuthFailure.self) { try server("https://id.example", "," + member, of: "https://id.example") }
    #expect(failure?.kind == .unsupportedByProvider && failure?.message.contains("id.example") == true, "\(failure?.message ?? "")")
  }

  @Test(
    arguments: [
      (#""dpop_signing_alg_values_supported":["ES256"]"#, nil), (#""dpop_bound_access_tokens_required":false"#, nil),
      (#""dpop_bound_access_tokens_required":true"#, .bool(true)),
    ] as [(String, JSON?)])
  func listingDPoPDemandsNothing(member: String, dpop: JSON?) throws {
    #expect(try server("https://id.example", "," + member, of: "https://id.example")["dpop"] == dpop)
  }

  /// A resource that takes bearer tokens as well demands no DPoP.
  @Test(
    arguments: [
      (["DPoP algs=\"ES256\""], true), (["dpop"], true), (["Bearer, DPoP algs=\"ES256\""], false),
      (["DPoP algs=\"ES256\"", "Bearer"], false), (["Basic"], false), ([], false),
    ] as [([String], Bool)])
  func aChallengeDemandsDPoPAlone(headers: [String], demands: Bool) {
    let response = HTTPResponse(status: 401, headers: headers.map { HTTPHeader("WWW-Authenticate", $0) })
    #expect(HTTPChallenge.Resource(response).demandsDPoP == demands)
  }

  @Test(arguments: [
    ("https://mcp.example.com/", "mcp.example.com"), ("https://mcp.example.com/a/b/", "mcp.example.com/a/b"),
    ("https://mcp.example.com:8443/mcp?k=1", "mcp.example.com:8443/mcp"),
    ("https://mcp.example.com/" + String(repeating: "x", count: 200), "mcp.example.com/8511a37c"),
  ])
  func anAccountIsNamedForItsURL(url: String, name: String) throws {
    #expect(ProviderCatalog.account(named: try URLParts(url)) == name)
  }

  @Test func aChallengeIsFoundAmongOthers() {
    let header = #"Basic realm="a, Bearer x=\"1\"", bearer Resource_Metadata="https://api.example/m", scope=a , DPoP algs="ES256""#
    let found = HTTPChallenge.parameters(header, scheme: "bearer").map { "\($0.name)=\(String(decoding: $0.value, as: UTF8.self))" }
    #expect(found == ["Resource_Metadata=https://api.example/m", "scope=a"])
  }
}
