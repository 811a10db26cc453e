import Jansson
import TestSupport
import Testing

@testable import OAuthCore

/// Invalid members of a provider's description, and the paths in their errors.
struct OptionsTests {
  @Test(arguments: [
    (#"{"name":"a\nb"}"#, "/name"), (#"{"name":"\u001b[2J"}"#, "/name"), (#"{"name":"a\u0085"}"#, "/name"),
    (#"{"name":"a\u2028b"}"#, "/name"), (#"{"scopeSeparator":""}"#, "/scopeSeparator"), (#"{"scopeParameter":""}"#, "/scopeParameter"),
    (#"{"codeParameter":""}"#, "/codeParameter"), (#"{"pkce":"s256"}"#, "/pkce"),
    (#"{"callbackMembers":["realmId","code"]}"#, "/callbackMembers/1"),
    (#"{"callbackMembers":["state"]}"#, "/callbackMembers/0"), (#"{"codeParameter":"c","callbackMembers":["c"]}"#, "/callbackMembers/0"),
    (#"{"stateParameter":""}"#, "/stateParameter"), (#"{"stateParameter":"code"}"#, "/stateParameter"),
    (#"{"stateParameter":"scope"}"#, "/stateParameter"), (#"{"stateParameter":"s","codeParameter":"s"}"#, "/stateParameter"),
    (#"{"stateParameter":"s","scopeParameter":"s"}"#, "/stateParameter"), (#"{"stateParameter":"resource"}"#, "/stateParameter"),
    (#"{"stateParameter":"s","parameterNames":{"client_id":"s"}}"#, "/stateParameter"),
    (#"{"stateParameter":"s","authorizationParameters":{"s":"x"}}"#, "/stateParameter"),
    (#"{"stateParameter":"s","callbackMembers":["s"]}"#, "/callbackMembers/0"),
    (#"{"parameterNames":{"state":"customField"}}"#, "/parameterNames/state"),
    (#"{"requestSignature":{"signature":"a","timestamp":"b"}}"#, "/requestSignature/clientId"),
    (#"{"requestSignature":{"signature":"a b","timestamp":"b","clientId":"c"}}"#, "/requestSignature/signature"),
    (#"{"requestSignature":{"signature":"a","timestamp":"Host","clientId":"c"}}"#, "/requestSignature/timestamp"),
    (#"{"requestSignature":{"signature":"a","timestamp":"b","clientId":"A"}}"#, "/requestSignature/clientId"),
    (#"{"requestSignature":{"signature":"a","timestamp":"b","clientId":"c"},"bodyFormat":"query"}"#, "/requestSignature"),
    (#"{"requestSignature":{"signature":"a","timestamp":"b","clientId":"c"},"tokenMethod":"GET"}"#, "/requestSignature"),
    (#"{"requestSignature":{"signature":"a","timestamp":"b","clientId":"c"},"refreshMethod":"GET"}"#, "/requestSignature"),
    (#"{"refreshTokenParameter":"none"}"#, "/refreshTokenParameter"), (#"{"renewWithin":-1}"#, "/renewWithin"),
    (
      #"{"requestSignature":{"signature":"a","timestamp":"b","clientId":"c"},"longLivedGrantType":"x","longLivedMethod":"GET"}"#,
      "/requestSignature"
    ),
    (#"{"longLivedGrantType":""}"#, "/longLivedGrantType"), (#"{"longLivedEndpoint":"https://x/"}"#, "/longLivedEndpoint"),
    (#"{"longLivedGrantType":"x","longLivedEndpoint":"http://x/"}"#, "/longLivedEndpoint"),
    (#"{"longLivedGrantType":"x","longLivedTokenParameter":""}"#, "/longLivedTokenParameter"),
    (#"{"longLivedMethod":"GET"}"#, "/longLivedMethod"),
    (#"{"revocationTokenParameter":""}"#, "/revocationTokenParameter"),
    (#"{"revocationEndpoint":"https://x/{accessToken}"}"#, "/revocationEndpoint"),
    (#"{"revocationEndpoint":"https://x/{accessToken}","revocationStyle":"bearer"}"#, "/revocationEndpoint"),
    (#"{"revocationEndpoint":"https://{accessToken}/x","revocationStyle":"get"}"#, "/revocationEndpoint"),
    (#"{"revocationEndpoint":"https://{accessToken}.x/{accessToken}","revocationStyle":"get"}"#, "/revocationEndpoint"),
    (#"{"revocationEndpoint":"{accessToken}/x","revocationStyle":"get"}"#, "/revocationEndpoint"),
    (#"{"endSessionEndpoint":"http://x/"}"#, "/endSessionEndpoint"),
    (#"{"endSessionParameters":{"a":"{secret}"}}"#, "/endSessionParameters/a"),
    (#"{"endSessionParameters":{"id_token_hint":"{idToken}"}}"#, "/endSessionParameters/id_token_hint"),
    (#"{"authorizationEndpoint":"https://x/#a"}"#, "/authorizationEndpoint"),
    (#"{"authorizationEndpoint":"https://x/#/a?b=c"}"#, "/authorizationEndpoint"),
    (#"{"authorizationEndpoint":"https://x/#/a","protocol":"oauth1"}"#, "/authorizationEndpoint"),
    (#"{"tokenEndpoint":"https://x/#/a"}"#, "/tokenEndpoint"), (#"{"parameterNames":{"state":""}}"#, "/parameterNames/state"),
    (#"{"parameterNames":{"code_challenge":""}}"#, "/parameterNames/code_challenge"),
    (#"{"parameterNames":{"client_id":7}}"#, "/parameterNames/client_id"), (#"{"resourceIndicator":true}"#, "/resourceIndicator"),
    (#"{"clientAuthentication":"header"}"#, "/clientAuthentication"), (#"{"bodyFormat":"xml"}"#, "/bodyFormat"),
    (#"{"tokenMethod":"PUT"}"#, "/tokenMethod"), (#"{"tokenHeaders":{"A b":"c"}}"#, "/tokenHeaders"),
    (#"{"tokenHeaders":{"Host":"x"}}"#, "/tokenHeaders"), (#"{"tokenHeaders":{"X-A":"b\r\nc"}}"#, "/tokenHeaders/X-A"),
    (#"{"refreshEndpoint":"http://id.example/r"}"#, "/refreshEndpoint"), (#"{"refreshTokenParameter":""}"#, "/refreshTokenParameter"),
    (#"{"tokenPath":"a..b"}"#, "/tokenPath"), (#"{"memberNames":{"access_token":"."}}"#, "/memberNames/access_token"),
    (#"{"tokenType":"User Access Token"}"#, "/tokenType"), (#"{"tokenTypeDefault":""}"#, "/tokenTypeDefault"),
    (#"{"expiresDefault":0}"#, "/expiresDefault"), (#"{"tokenErrors":{"sucess":"ok"}}"#, "/tokenErrors/sucess"),
    (#"{"tokenMembers":["instance_url",""]}"#, "/tokenMembers/1"), (#"{"apiBase":"http://api.example/"}"#, "/apiBase"),
    (#"{"endpointHosts":["*.x.example","a b"]}"#, "/endpointHosts/1"), (#"{"apiHeaders":{"X":"a\n"}}"#, "/apiHeaders/X"),
    (#"{"apiCredential":{"header":"X-A","query":"t"}}"#, "/apiCredential/header"),
    (#"{"apiCredential":{"scheme":"OAuth","query":"t"}}"#, "/apiCredential/query"),
    (#"{"apiCredential":{"query":""}}"#, "/apiCredential/query"),
    (#"{"apiCredential":{"scheme":"O Auth"}}"#, "/apiCredential/scheme"), (#"{"apiErrors":{"code":7}}"#, "/apiErrors/code"),
    (#"{"expired":{"statuses":[401,200]}}"#, "/expired/statuses/1"), (#"{"rateLimit":{"reset":"a b"}}"#, "/rateLimit/reset"),
    (#"{"pagination":{}}"#, "/pagination/style"), (#"{"pagination":{"style":"cursor"}}"#, "/pagination/cursor"),
    (#"{"pagination":{"style":"offset"}}"#, "/pagination/parameter"), (#"{"parameterFormat":"xml"}"#, "/parameterFormat"),
    (#"{"redirectHost":"example.com"}"#, "/redirectHost"), (#"{"redirectPorts":[8080,0]}"#, "/redirectPorts/1"),
    (#"{"redirectPath":"back"}"#, "/redirectPath"),
    (#"{"redirectPolicy":"any"}"#, "/redirectPolicy"), (#"{"revocationStyle":"post"}"#, "/revocationStyle"),
    (#"{"revocationEndpoint":"http://x/"}"#, "/revocationEndpoint"), (#"{"deviceClientIdIn":"header"}"#, "/deviceClientIdIn"),
    (#"{"deviceErrorNames":{"x":7}}"#, "/deviceErrorNames/x"), (#"{"sendsUserCode":"yes"}"#, "/sendsUserCode"),
    (#"{"clientGrantType":""}"#, "/clientGrantType"), (#"{"deviceGrantType":""}"#, "/deviceGrantType"),
    (#"{"deviceMemberNames":{"device_code":"."}}"#, "/deviceMemberNames/device_code"),
    (#"{"scopeCase":"lower"}"#, "/scopeCase"), (#"{"registrationFormat":"xml"}"#, "/registrationFormat"),
    (#"{"idTokenAlgorithms":["none"]}"#, "/idTokenAlgorithms/0"), (#"{"redirectErrorNames":{"x":7}}"#, "/redirectErrorNames/x"),
    (#"{"authorizationFragment":"a#b"}"#, "/authorizationFragment"), (#"{"oauthCallbackConfirmed":"no"}"#, "/oauthCallbackConfirmed"),
    (#"{"signatureMethod":"MD5"}"#, "/signatureMethod"), (#"{"openidDialect":"odd"}"#, "/openidDialect"),
    (#"{"openidEndpoint":"http://x/"}"#, "/openidEndpoint"), (#"{"tokenEndpiont":"https://x/"}"#, "/tokenEndpiont"),
  ])
  func whatIsWrongIsNamedByItsPath(description: String, path: String) throws {
    let json = try JSON.parse(Array(description.utf8))
    let error = #expect(throws: FieldError.self) { try Provider.decode(json, at: "/provider") }
    #expect(error?.path == "/provider" + path)
  }

  /// An endpoint may begin with a placeholder for scheme and host. The text around placeholders is checked as usual.
  @Test(arguments: [
    ("{instance_url}/services/", true), ("{instance_url}", true), ("https://{shop}/admin", true), ("https://a.example/{id}/x", true),
    ("{scheme}://a.example/", false), ("http://{shop}/admin", true), ("http://{shop}.example/", false), ("{a}{b}", false), ("{host", false),
  ])
  func endpointsWithNames(endpoint: String, isRight: Bool) {
    let right = (try? Provider.decode(["apiBase": .string(endpoint)])) != nil
    #expect(right == isRight)
  }

  @Test(
    arguments: [
      ("ok", "true"), ("errors.0.code", "89"), ("errors.1.code", nil), ("errors.code", nil), ("errors.0.code.x", nil), ("a.b", "\"c\""),
      ("nothing", "null"), ("a.c", nil), ("errors.-1", nil),
    ] as [(String, String?)])
  func dottedPaths(path: String, expected: String?) throws {
    let json = try JSON.parse(Array(#"{"ok":true,"errors":[{"code":89}],"a":{"b":"c"},"nothing":null}"#.utf8))
    let found = try #require(DottedPath(path)).value(in: json)
    #expect(found.map { String(decoding: $0.text, as: UTF8.self) } == expected)
  }

  @Test(arguments: ["", ".", "a.", ".a", "a..b"])
  func invalidPaths(text: String) { #expect(DottedPath(text) == nil) }
}
