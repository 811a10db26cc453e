import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

@Suite struct OpenIDMessageTests {
  @Test func keyValueForm() throws {
    let pairs = try OpenIDMessage(HTTPResponse(status: 200, body: Array("mode: error \r\n\nerror:a:b\nempty:\n".utf8))).fields
    #expect(pairs.map(\.name) == ["mode", "error", "empty"] && pairs.map(\.value) == ["error", "a:b", ""])
  }

  @Test(arguments: [Array("mode".utf8), Array("a:1\na:2\n".utf8), Array("<html>".utf8), Array("a:1\nb\n".utf8), [0x61, 0x3A, 0xFF]])
  func brokenForms(body: [UInt8]) {
    #expect(throws: OAuthFailure.self) { try OpenIDMessage(HTTPResponse(status: 200, body: body)) }
  }

  private func message(_ query: String) throws -> OpenIDMessage {
    try OpenIDMessage(FormEncoding.decodeLeniently(query).map { RedirectParameter(name: $0.0, value: $0.1) })
  }

  @Test func fieldsOfARedirect() throws {
    let message = try message("state=s&openid.mode=id_res&x=openid.y&openid.ns.ext=urn%3Ax&openid.empty=")
    #expect(message.fields.map(\.name) == ["mode", "ns.ext", "empty"])
    #expect(message["mode"] == "id_res" && message["empty"] == nil && message["state"] == nil)
    #expect(message.alias(of: "urn:x") == "ext" && message.alias(of: "urn:y") == nil)
  }

  @Test func aFieldTwice() {
    #expect(throws: OAuthFailure.self) { try message("openid.mode=id_res&openid.mode=cancel") }
    #expect(throws: OAuthFailure.self) { try message("openid.sig=a&openid.mode=id_res&openid.sig=a") }
  }

  /// An association handle keeps its braces, quotes, `=` and `:`, and a signature keeps its plus signs.
  @Test func handlesSurvive() throws {
    let handle = "{HMAC-SHA1}{6b00e0e4}{b'6Qg2Qg=='}"
    let request = OpenIDMessage([("assoc_handle", handle), ("sig", "a+b/c=")]).directRequest(to: "https://op.example/")
    #expect(request.field("openid.assoc_handle") == handle && request.field("openid.sig") == "a+b/c=")
    #expect(request.method == "POST" && request.maxBytes == 65536)
    #expect(request.text == "openid.assoc_handle=%7BHMAC-SHA1%7D%7B6b00e0e4%7D%7Bb%276Qg2Qg%3D%3D%27%7D&openid.sig=a%2Bb%2Fc%3D")
  }

  @Test func showsNoValues() throws {
    let message = try message("openid.mode=id_res&openid.spark.code=secret-code")
    var dumped = ""
    dump(message, to: &dumped)
    #expect(!"\(message)\(dumped)".contains("secret-code") && "\(message)".contains("spark.code"))
  }

  @Test func modes() throws {
    func kind(_ query: String) throws -> OAuthFailure.Kind? {
      let message = try message(query)
      do throws(OAuthFailure) { try message.checkMode() } catch { return error.kind }
      return nil
    }
    #expect(try kind("openid.mode=id_res") == nil)
    #expect(try kind("openid.mode=cancel") == .accessDenied)
    #expect(try kind("openid.mode=error&openid.error=no") == .authorizationServerError)
    #expect(try kind("openid.mode=setup_needed") == .authorizationServerError)
    #expect(try kind("openid.mode=checkid_setup") == .responseUntrusted)
    #expect(try kind("openid.mode=") == .responseUntrusted && kind("state=x") == .responseUntrusted)
  }

  @Test func errorsKeepTheirWords() throws {
    let message = try message("openid.mode=error&openid.error=unknown%0Aclient")
    let failure = #expect(throws: OAuthFailure.self) { try message.checkMode() }
    #expect(failure?.message == "the OpenID provider rejected the sign-in: unknownclient")
    #expect(failure?["error"] == "unknownclient")
  }
}
