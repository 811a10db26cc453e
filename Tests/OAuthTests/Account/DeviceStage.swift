import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// Sign-ins with a device code. The clock moves from poll to poll, and the pauses between them are recorded.
struct DeviceStage {
  let server = PreparedResponses()
  let stage: Stage
  private let taken = EventLogOf<Int>()

  init() { stage = Stage(server) }

  /// The pauses before the polls, in seconds.
  var pauses: [Int] { taken.all }

  func pending(_ error: String = "authorization_pending", status: Int = 400) {
    server.add(status: status, body: #"{"error":"\#(error)"}"#)
  }

  func signIn(_ request: AuthorizationInput = DeviceFlowTests.request()) async throws -> Authorization {
    let prompt = try #require(try await stage.accounts.authorize(request).signIn)
    let moving = Task { [taken, clock = stage.clock] in
      while !Task.isCancelled {
        // The longer pause is the deadline of the sign-in.
        try await clock.pauses(atLeast: 2)
        let pause = clock.pauses[0]
        taken.add(pause / 1000)
        clock.advance(milliseconds: pause)
      }
    }
    defer { moving.cancel() }
    return try #require(try await stage.accounts.awaitSignIn(id: prompt.id, timeout: nil))
  }
}
