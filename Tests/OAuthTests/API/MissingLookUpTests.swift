import Jansson
import Synchronization
import TestSupport
import Testing

@testable import Calls
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// Calls for an account whose `afterSignIn` has not yet returned values.
struct MissingLookUpTests {
  private let asked = EventCount()
  private let gate = Promise<Void>()
  private let sent = SentRequests()
  /// The credential that the service rejects.
  private let rejected = RejectedCredential()

  private func stage(_ answer: String, refreshToken: String? = "refresh-1") async throws -> Stage {
    let stage = Stage(
      Server { [asked, gate, sent, rejected] request async throws(HTTPFailure) in
        _ = sent.add(request)
        guard request.url.hasSuffix("/sites") else {
          guard let credential = request.header("Authorization"), credential == rejected.value else { return .json("{}") }
          return HTTPResponse(status: 401, headers: [HTTPHeader("WWW-Authenticate", #"Bearer error="invalid_token""#)], body: [])
        }
        asked.add()
        do { try await gate.value() } catch { throw .cancelled }
        return .json(answer)
      })
    try await stage.keep(refreshToken: refreshToken) {
      $0.provider = .object(
        ProviderCatalog.merge(
          [
            .init("apiBase", "https://api.example/{site}/"),
            .init("afterSignIn", ["url": "https://api.example/sites", "variables": ["site": "0.id"]]),
          ], over: Stage.provider))
    }
    return stage
  }

  private func call(_ stage: Stage) -> Task<Int, any Error> {
    let request = APIRequest(account: "a", url: "items")
    return Task { try await APICall(accounts: stage.accounts, request: request) { _ in true }.run().status }
  }

  @Test func callsThatNeedItShareOneRequest() async throws {
    let stage = try await stage(#"[{"id":"s-1"}]"#)
    let calls = (0..<8).map { _ in call(stage) }
    #expect(await soon { asked.value == 1 })
    // The caller that caused the request may leave.
    calls[0].cancel()
    gate.settle(.success(()))
    for call in calls.dropFirst() { #expect(try await call.value == 200) }
    #expect(asked.value == 1)
    #expect(try stage.store.read("a")?.attributes["site"] == "s-1")
  }

  /// A failing service is not asked with every call, and calls do not wait for it.
  @Test func aFailedRequestIsRepeatedAfterAMinute() async throws {
    let stage = try await stage("[]")
    gate.settle(.success(()))
    for _ in 0..<3 { #expect(await failureOf { try await call(stage).value }?.kind == .configurationInvalid) }
    #expect(asked.value == 1 && stage.told == ["failed responseUntrusted"])
    stage.clock.advance(60)
    #expect(await failureOf { try await call(stage).value }?.kind == .configurationInvalid)
    #expect(asked.value == 2)
  }

  /// Another user signs in during the request for the first user's values.
  @Test func anotherGrantHasARequestOfItsOwn() async throws {
    let stage = try await stage(#"[{"id":"s-1"}]"#)
    let first = call(stage)
    #expect(await soon { asked.value == 1 })
    var other = try #require(try stage.store.read("a"))
    (other.accessToken, other.generation) = (Secret("theirs"), 2)
    try await stage.store.write(other)
    let second = call(stage)
    #expect(await soon { asked.value == 2 })
    gate.settle(.success(()))
    for call in [first, second] { #expect(try await call.value == 200) }
    let calls = sent.all.filter { $0.url.hasSuffix("/items") }.map { $0.header("Authorization") ?? "" }
    #expect(Set(calls) == ["Bearer access-1", "Bearer theirs"])
    #expect(try stage.store.read("a")?.accessToken == Secret("theirs"))
  }

  /// The rejected token was the first grant's.
  @Test func aRejectedTokenEndsNoNewerGrant() async throws {
    let stage = try await stage(#"[{"id":"s-1"}]"#, refreshToken: nil)
    rejected.set("Bearer access-1")
    let first = call(stage)
    #expect(await soon { asked.value == 1 })
    var other = try #require(try stage.store.read("a"))
    (other.accessToken, other.generation) = (Secret("theirs"), 2)
    try await stage.store.write(other)
    gate.settle(.success(()))
    #expect(try await first.value == 401)
    #expect(try stage.store.read("a")?.isRejected == false)
  }

  /// A new token may return values that the old one did not.
  @Test func aFailureOfOneGrantDoesNotApplyToAnother() async throws {
    let stage = try await stage("[]")
    gate.settle(.success(()))
    #expect(await failureOf { try await call(stage).value } != nil)
    var other = try #require(try stage.store.read("a"))
    (other.accessToken, other.generation) = (Secret("theirs"), 2)
    try await stage.store.write(other)
    #expect(await failureOf { try await call(stage).value } != nil)
    #expect(asked.value == 2)
  }
}

private final class RejectedCredential: Sendable {
  private let text = Mutex<String?>(nil)

  var value: String? { text.withLock { $0 } }
  func set(_ credential: String) { text.withLock { $0 = credential } }
}
