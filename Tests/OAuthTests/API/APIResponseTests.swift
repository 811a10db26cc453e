import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuthCore
@testable import Platform

struct APIResponseTests {
  private func answer(_ bytes: [UInt8], as wanted: APIRequest.As, status: Int = 200) -> APIResponse {
    var request = APIRequest(account: "a", url: "x")
    request.as = wanted
    return APIResponse(HTTPResponse(status: status, body: bytes), request, refreshed: false, attempts: 1)
  }

  private func word(_ response: APIResponse) -> String {
    switch response.body {
    case .text(let bytes): "text \(String(decoding: bytes, as: UTF8.self))"
    case .base64(let text): "base64 \(text)"
    case .json(let bytes): "json \(String(decoding: bytes, as: UTF8.self))"
    case .saved(let path): "saved \(path)"
    case .streamed: "streamed"
    }
  }

  @Test(arguments: [
    (APIRequest.As.text, Array("hä".utf8), "text hä"), (.text, [0xFF], "base64 /w=="), (.text, [], "text "),
    (.base64, Array("hi".utf8), "base64 aGk="),
    (.json, Array(" { \"a\" : 1.50 } ".utf8), "json {\"a\":1.50}"), (.json, Array("[1,2]".utf8), "json [1,2]"),
  ])
  func bodiesComeAsTheyAreWanted(wanted: APIRequest.As, bytes: [UInt8], expected: String) {
    let response = answer(bytes, as: wanted)
    #expect(word(response) == expected)
    #expect(response.jsonOmitted == nil)
    #expect(response.bytes == bytes.count)
  }

  @Test(arguments: [#"{"a":1,"a":2}"#, "9007199254740993", "1e999", #""\ud800""#, #""\u0000""#, "not json", ""])
  func hardToParseJSONStaysText(text: String) throws {
    let response = answer(Array(text.utf8), as: .json)
    #expect(word(response) == "text \(text)")
    #expect(try #require(response.jsonOmitted).isEmpty == false)
    #expect(response.failure("a")["jsonOmitted"] != nil)
  }

  /// An error always carries its body, even if a success would be saved or streamed.
  @Test func errorsCarryTheWholeResponse() {
    var request = APIRequest(account: "a", url: "x")
    request.saveTo = "/some/where"
    let headers = [HTTPHeader("X-A", "1"), HTTPHeader("x-a", "2"), HTTPHeader("Set-Cookie", "a=1"), HTTPHeader("Set-Cookie", "b=2\u{0}")]
    let response = APIResponse(
      HTTPResponse(status: 404, headers: headers, body: Array("gone".utf8)), request, refreshed: false, attempts: 3)
    let failure = response.failure("a")
    #expect(failure["httpStatus"] == 404 && failure["body"] == "gone" && failure["attempts"] == 3)
    #expect(failure["headers"] == ["x-a": "1, 2", "set-cookie": "a=1\nb=2"])
    #expect(!failure.isRetryable && failure.account == "a")
    #expect(word(APIResponse(HTTPResponse(status: 200, bytes: 9), request, refreshed: false, attempts: 1)) == "saved /some/where")
    request.saveTo = nil
    request.streams = true
    #expect(word(APIResponse(HTTPResponse(status: 200, bytes: 9), request, refreshed: false, attempts: 1)) == "streamed")
  }

  @Test(arguments: [(408, true), (429, true), (500, true), (503, true), (400, false), (401, false), (501, false)])
  func temporaryFailuresAreRetryable(status: Int, isRetryable: Bool) {
    #expect(answer([], as: .text, status: status).failure("a").isRetryable == isRetryable)
  }
}
