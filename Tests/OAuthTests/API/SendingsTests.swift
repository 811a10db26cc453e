import Testing

@testable import Calls
@testable import OAuthCore
@testable import Platform

/// `attempts` counts requests sent by the call's own loop and by libcurl.
@Suite struct SendingsTests {
  private func failure(afterAsking times: Int) -> PreparedResponses.Response {
    { request in
      for _ in 1...times where request.mayBeSent?() == false { break }
      return .failure(.network(host: "api.example", cause: "broken", answered: false))
    }
  }

  @Test func whatLibcurlSendsAgainIsCounted() async throws {
    let stage = try await CallStage()
    stage.server.add { request in
      #expect(request.mayBeSent?() == true && request.mayBeSent?() == true)
      return .success(HTTPResponse(status: 302, headers: [HTTPHeader("Location", "/b")]))
    }
    stage.server.add { request in
      #expect(request.mayBeSent?() == true && request.mayBeSent?() == true)
      return .success(HTTPResponse(status: 200))
    }
    #expect(try await stage.call().attempts == 3)
  }

  @Test func theLimitHoldsForBoth() async throws {
    let stage = try await CallStage()
    stage.server.add(failure(afterAsking: 3))
    stage.server.add { request in
      #expect(request.mayBeSent?() == true && request.mayBeSent?() == false)
      return .failure(.network(host: "api.example", cause: "broken", answered: false))
    }
    let failure = await failureOf { try await stage.stage.clock.skippingPauses { try await stage.call() } }
    #expect(failure?.kind == .networkFailure)
    #expect(stage.server.left == 0 && stage.server.requests.count == 2)
  }
}
