import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// A call's parameters, placed as its method and the provider require, and rate limits.
struct ParametersTests {
  private func stage(_ members: [JSON.Member]) async throws -> CallStage {
    let stage = try await CallStage()
    try await stage.stage.keep { $0.provider = .object(ProviderCatalog.merge(members, over: Stage.provider)) }
    return stage
  }

  private static let parameters = NamedValues<JSON>([("q", "a b"), ("n", 3), ("on", true), ("ids", [1, 2])])

  @Test(arguments: ["GET", "HEAD", "DELETE", "get", "OPTIONS"])
  func theQueryTakesThem(method: String) async throws {
    let stage = try await stage([.init("parameterFormat", "json")])
    stage.server.add(body: "")
    _ = try await stage.call("items?x=1") {
      $0.method = method
      $0.parameters = Self.parameters
      $0.query = NamedValues([("y", OneOrMany(values: ["2"]))])
    }
    #expect(stage.urls == ["https://api.example/v1/items?x=1&y=2&q=a%20b&n=3&on=true&ids=1&ids=2"])
    #expect(stage.server.requests[0].text == "")
  }

  @Test(arguments: [("form", "q=a+b&n=3&on=true&ids=1&ids=2"), ("json", #"{"q":"a b","n":3,"on":true,"ids":[1,2]}"#)])
  func theBodyTakesThem(format: String, body: String) async throws {
    let stage = try await stage([.init("parameterFormat", .string(format))])
    for method in ["POST", "PUT", "patch"] {
      stage.server.add(body: "")
      _ = try await stage.call {
        $0.method = method
        $0.parameters = Self.parameters
      }
    }
    #expect(stage.server.requests.map(\.text) == [body, body, body])
    let type = format == "json" ? "application/json" : "application/x-www-form-urlencoded"
    #expect(stage.server.requests[0].header("Content-Type") == type)
    #expect(stage.urls[0] == "https://api.example/v1/items")
  }

  @Test func parametersWithoutAPlaceAreRejected() async throws {
    let stage = try await stage([])
    let withBody = await stage.fieldError {
      $0.method = "POST"
      $0.body = .text("x")
      $0.parameters = Self.parameters
    }
    #expect(withBody?.path == "/parameters")
    for method in ["GET", "POST"] {
      let object = await stage.fieldError {
        $0.method = method
        $0.parameters = NamedValues([("a/b", ["c": 1])])
      }
      #expect(object?.path == "/parameters/a~1b")
    }
    #expect(stage.server.requests.isEmpty)
  }

  /// Retry-After wins over the service's own header. A wait that is longer than the call's timeout is not begun.
  @Test(arguments: [
    (429, [HTTPHeader("X-Reset", "1000000")], 2), (429, [HTTPHeader("X-Reset", "1000100")], 1), (429, [HTTPHeader("X-Reset", "soon")], 2),
    (403, [HTTPHeader("X-Reset", "1000000"), HTTPHeader("X-Left", "0")], 2),
    (403, [HTTPHeader("X-Reset", "1000000"), HTTPHeader("X-Left", "1")], 1),
    (403, [], 1), (429, [HTTPHeader("X-Reset", "1000100"), HTTPHeader("Retry-After", "0")], 2),
  ])
  func limits(status: Int, headers: [HTTPHeader], requests: Int) async throws {
    let stage = try await stage([.init("rateLimit", ["reset": "X-Reset", "remaining": "X-Left"])])
    stage.server.add(status: status, headers: headers, body: "")
    stage.server.add(body: "ok")
    _ = try await stage.stage.clock.skippingPauses { try await stage.call() }
    #expect(stage.server.requests.count == requests)
  }

  /// The error says when to try again. A reset's time in the header of another error says nothing.
  @Test(arguments: [
    (403, [HTTPHeader("X-Reset", "1000100"), HTTPHeader("X-Left", "0")], 100), (403, [HTTPHeader("Retry-After", "90")], 90),
    (429, [HTTPHeader("X-Reset", "1000100"), HTTPHeader("Retry-After", "Mon, 12 Jan 1970 13:48:00 GMT")], 80),
    (403, [HTTPHeader("X-Reset", "1000100"), HTTPHeader("X-Left", "1")], nil), (404, [HTTPHeader("X-Reset", "1000100")], nil),
  ])
  func aLimitNamesTheSeconds(status: Int, headers: [HTTPHeader], seconds: Int?) async throws {
    let stage = try await stage([.init("rateLimit", ["reset": "X-Reset", "remaining": "X-Left"])])
    stage.server.add(status: status, headers: headers, body: "")
    let failure = try await stage.call().failure("a")
    #expect(failure["retryAfter"] == seconds.map { .integer($0) })
    #expect(failure.isRetryable == (seconds != nil))
  }
}
