import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// What a service reports in its JSON, and how the process handles it.
struct APIEnvelopeTests {
  private static let spark =
    #"{"apiErrors":{"success":"D.Success","code":"D.Code","message":"D.Message","results":"D.Results","details":"D.Errors"},"expired":{"codes":["1020"]}}"#

  private func data(_ body: String, _ members: String = Self.spark, status: Int = 200) throws -> String? {
    let envelope = APIEnvelope(Array(body.utf8), try Provider.described(members).api)
    let error = envelope.error(status: status, hiding: Redaction([Secret("access-1")]))
    return error.map { String(decoding: JSON.object($0).text, as: UTF8.self) }
  }

  @Test(
    arguments: [
      (#"{"D":{"Success":true,"Results":[]}}"#, 200, nil), (#"{"D":{"Success":false}}"#, 200, #"{"code":-1}"#),
      (
        #"{"D":{"Success":false,"Code":1550,"Message":"no such id"}}"#, 404,
        #"{"code":1550,"serviceMessage":"no such id"}"#
      ),
      ("<html>", 502, #"{"code":-1}"#), ("", 500, #"{"code":-1}"#), ("{}", 200, nil),
      (#"{"D":{"Success":false,"Code":"x","Errors":{"Id":["is 7",1.5]}}}"#, 200, #"{"code":"x","serviceDetails":{"Id":["is 7"]}}"#),
      (#"{"D":{"Success":false,"Code":{},"Message":"token access-1 is dead"}}"#, 200, #"{"code":{},"serviceMessage":"token … is dead"}"#),
      (#"{"D":{"Success":false,"Code":7},"n":99999999999999999999}"#, 200, #"{"code":7}"#),
    ] as [(String, Int, String?)])
  func serviceErrorsAreRead(body: String, status: Int, expected: String?) throws {
    #expect(try data(body, status: status) == expected)
  }

  @Test(
    arguments: [
      (#"{"apiErrors":{"success":"ok","code":"error"}}"#, #"{"ok":false,"error":"not_authed"}"#, #"{"code":"not_authed"}"#),
      (#"{"apiErrors":{"success":"status"}}"#, #"{"status":"error"}"#, "{}"),
      (#"{"apiErrors":{"success":"status"}}"#, #"{"status":"OK"}"#, nil),
      (#"{"apiErrors":{"code":"errors.0.code"}}"#, #"{"errors":[{"code":89}]}"#, nil), ("{}", #"{"ok":false}"#, nil),
    ] as [(String, String, String?)])
  func otherEnvelopes(members: String, body: String, expected: String?) throws {
    #expect(try data(body, members) == expected)
  }

  private func stage(_ members: String, expiresIn: Int? = 3600) async throws -> CallStage {
    let stage = try await CallStage(expiresIn: expiresIn)
    let own = try JSON.parse(Array(members.utf8)).members ?? []
    try await stage.stage.keep { $0.provider = .object(ProviderCatalog.merge(own, over: Stage.provider)) }
    return stage
  }

  @Test func anErrorInsideASuccessIsAFailure() async throws {
    let stage = try await stage(Self.spark)
    stage.server.add(body: #"{"D":{"Success":false,"Code":1550,"Message":"no"}}"#)
    let response = try await stage.call()
    #expect(response.isFailure)
    let failure = response.failure("a")
    #expect(failure["httpStatus"] == 200 && failure["code"] == 1550 && failure["serviceMessage"] == "no")
    #expect(failure["body"] == #"{"D":{"Success":false,"Code":1550,"Message":"no"}}"#)
    stage.server.add(body: #"{"D":{"Success":true,"Price":19.99}}"#)
    let good = try await stage.call()
    #expect(!good.isFailure && good.serviceError == nil)
  }

  /// The service reports an expired token: one renewal and one replay.
  @Test(arguments: [(200, "1020", 3), (401, "1000", 3), (401, "1020", 3), (200, "1021", 1), (403, "1000", 1)])
  func anExpiredTokenIsReplacedOnce(status: Int, code: String, requests: Int) async throws {
    let stage = try await stage(Self.spark)
    let dead = #"{"D":{"Success":false,"Code":\#(code)}}"#
    stage.server.add(status: status, body: dead)
    stage.server.add(body: #"{"access_token":"access-2"}"#)
    stage.server.add(status: status, body: dead)
    let response = try await stage.call()
    #expect(response.isFailure)
    #expect(stage.server.requests.count == requests)
  }

  @Test func otherStatusesMayMeanAnExpiredToken() async throws {
    let stage = try await stage(#"{"expired":{"statuses":[419]}}"#)
    stage.server.add(status: 419, body: "")
    stage.server.add(body: #"{"access_token":"access-2"}"#)
    stage.server.add(body: "ok")
    #expect(try await stage.call().status == 200)
    stage.server.add(status: 401, body: "")
    #expect(try await stage.call().status == 401)
    #expect(stage.server.requests.count == 4)
  }

  @Test(
    arguments: [
      (#"{"apiCredential":{"scheme":"OAuth"}}"#, "OAuth access-1", nil, "https://api.example/v1/items?q=1"),
      (#"{"apiCredential":{"header":"X-Shopify-Access-Token"}}"#, nil, "access-1", "https://api.example/v1/items?q=1"),
      (#"{"apiCredential":{"query":"access_token"}}"#, nil, nil, "https://api.example/v1/items?q=1&access_token=access-1"),
      ("{}", "Bearer access-1", nil, "https://api.example/v1/items?q=1"),
    ] as [(String, String?, String?, String)])
  func whereTheTokenGoes(members: String, authorization: String?, header: String?, url: String) async throws {
    let stage = try await stage(members)
    stage.server.add(body: "")
    _ = try await stage.call("items?q=1") { $0.headers = NamedValues([("Authorization", "mine")]) }
    let sent = try #require(stage.server.requests.first)
    #expect(sent.header("Authorization") == authorization)
    #expect(sent.header("X-Shopify-Access-Token") == header)
    #expect(sent.url == url)
  }

  @Test func aBaseWithoutItsValueIsSaidSo() async throws {
    let stage = try await stage(#"{"tokenMembers":["instance_url"],"apiBase":"{instance_url}/x/"}"#)
    let failure = await failureOf { try await stage.call("items") }
    #expect(failure?.kind == .configurationInvalid && failure?.message.contains("instance_url") == true)
    stage.server.add(body: "")
    #expect(try await stage.call("https://api.example/items").status == 200)
  }

  @Test func aRedirectThatRepeatsTheQueryTakesNoTokenAlong() async throws {
    let stage = try await stage(#"{"apiCredential":{"query":"t"}}"#)
    stage.redirect(to: "https://elsewhere.example/x?t=access-1&q=1")
    stage.server.add(body: "")
    _ = try await stage.call("items?q=1")
    #expect(stage.urls == ["https://api.example/v1/items?q=1&t=access-1", "https://elsewhere.example/x?q=1"])
  }

  /// Seconds that overflow an integer when converted to milliseconds or when the current time is subtracted.
  @Test(arguments: ["9223372036854775807", "-9223372036854775808", "9223372036854776"])
  func aResetThatIsNoInstantSaysNothing(reset: String) async throws {
    let stage = try await stage(#"{"rateLimit":{"remaining":"X-Left","reset":"X-Reset"}}"#)
    stage.server.add(status: 403, headers: [HTTPHeader("X-Left", "0"), HTTPHeader("X-Reset", reset)], body: "")
    stage.server.add(body: "")
    #expect(try await stage.stage.clock.skippingPauses { try await stage.call() }.status == 200)
  }

  @Test(arguments: [#"{"apiCredential":{"header":"X-Token"}}"#, #"{"apiCredential":{"query":"t"}}"#])
  func noPlaceOfTheTokenGoesToAForeignHost(members: String) async throws {
    let stage = try await stage(members)
    stage.redirect(to: "https://elsewhere.example/x")
    stage.server.add(body: "")
    _ = try await stage.call("items?t=mine") { $0.headers = NamedValues([("X-Token", "mine")]) }
    let foreign = try #require(stage.server.requests.last)
    #expect(foreign.url == "https://elsewhere.example/x")
    #expect(foreign.header("Authorization") == nil)
    #expect(foreign.header("X-Token") == nil)
    #expect(!stage.urls[0].contains("t=mine") || members.contains("header"))
  }
}
