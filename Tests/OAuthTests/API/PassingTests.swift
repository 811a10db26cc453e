import Jansson
import Synchronization
import Testing

@testable import Calls
@testable import OAuth
@testable import OAuthCore
@testable import Plans

/// Another program's request, which goes the way of `callAPI` with both bodies as they are.
struct PassingTests {
  private let relay = HTTPRequest.Relay(begin: { _, _ in }, take: { _ in true })

  private func pass(
    _ stage: CallStage, _ path: String = "/items", _ method: String = "GET", _ change: (inout APIRequest.Passing) -> Void = { _ in }
  ) async throws -> HTTPResponse {
    var request = APIRequest(account: "a", url: path)
    request.method = method
    var passing = APIRequest.Passing(relay: relay, signal: ExchangeSignal())
    change(&passing)
    request.passing = passing
    return try await APICall(accounts: stage.stage.accounts, request: request) { _ in true }.pass()
  }

  private func add(_ stage: CallStage, _ status: Int, _ headers: [HTTPHeader] = []) {
    stage.server.add { _ in
      var response = HTTPResponse(status: status, headers: headers, body: [])
      response.isWithheld = status >= 400
      return .success(response)
    }
  }

  private func addToken(_ stage: CallStage) {
    stage.server.add(headers: [HTTPHeader("Content-Type", "application/json")], body: #"{"access_token":"access-2","token_type":"Bearer"}"#)
  }

  @Test(
    arguments: [
      ("/items?a=%2f&&b", nil, "https://api.example/v1/items?a=%2f&&b"), ("", nil, "https://api.example/v1"),
      ("//x", nil, "https://api.example/v1//x"), ("/i", "x.cdn.example", "https://x.cdn.example/i"),
      ("", "other.example:8443", "https://other.example:8443"),
    ] as [(String, String?, String)])
  func aPathIsAppendedAsText(path: String, host: String?, url: String) async throws {
    let stage = try await CallStage()
    add(stage, 200)
    #expect(try await pass(stage, path) { $0.host = host }.status == 200)
    #expect(stage.urls == [url])
    #expect(stage.credentials == ["Bearer access-1"])
  }

  @Test func anotherHostGetsNothing() async throws {
    let stage = try await CallStage()
    await #expect { try await pass(stage) { $0.host = "elsewhere.example" } } throws: { ($0 as? OAuthFailure)?.kind == .hostNotAllowed }
    #expect(stage.urls.isEmpty)
  }

  @Test(arguments: [("git.example", false, true), ("api.example", false, false), ("api.example", true, true)])
  func aHostOfGitGetsAPassword(host: String, sendsPassword: Bool, isBasic: Bool) async throws {
    let stage = try await CallStage(with: [.init("gitHosts", ["git.example", "api.example"]), .init("gitUserName", "x")])
    add(stage, 200)
    _ = try await pass(stage) { ($0.host, $0.sendsPassword) = (host, sendsPassword) }
    #expect(stage.credentials == [isBasic ? "Basic " + Base64.encode(Array("x:access-1".utf8)) : "Bearer access-1"])
  }

  @Test(arguments: [302, 404, 429, 500, 503])
  func anAnswerGoesToTheProgram(status: Int) async throws {
    let stage = try await CallStage()
    add(stage, status, [HTTPHeader("Location", "https://api.example/v1/b"), HTTPHeader("Retry-After", "0")])
    #expect(try await pass(stage).status == status)
    #expect(stage.urls.count == 1)
  }

  @Test(arguments: [true, false])
  func aRejectedTokenIsRenewedOnce(isHeld: Bool) async throws {
    let stage = try await CallStage()
    add(stage, 401)
    addToken(stage)
    add(stage, 401)
    let sendings = Mutex(0)
    let supply = HTTPRequest.Supply(length: 1, read: { _ in .later }) {
      sendings.withLock { count in
        count += 1
        return isHeld || count == 1
      }
    }
    if isHeld {
      #expect(try await pass(stage, "/items", "POST") { $0.body = supply }.status == 401)
      #expect(stage.credentials == ["Bearer access-1", nil, "Bearer access-2"])
    } else {
      await #expect(throws: APICall.BodyIsGone.self) { try await pass(stage, "/items", "POST") { $0.body = supply } }
      #expect(stage.credentials == ["Bearer access-1", nil])
    }
  }

  /// A program may use a connection that was just in use, but no request with an effect is repeated.
  @Test(arguments: [("GET", nil), ("PUT", nil), ("POST", 3), ("PATCH", 3), ("PROPFIND", 3)] as [(String, Int?)])
  func aRequestHasNoTimeOfItsOwn(method: String, age: Int?) async throws {
    let stage = try await CallStage()
    add(stage, 200)
    _ = try await pass(stage, "/items", method)
    let sent = try #require(stage.server.requests.first)
    #expect(sent.timeout == 0)
    #expect(sent.connectionAge == age)
    #expect(sent.relay != nil)
  }
}
