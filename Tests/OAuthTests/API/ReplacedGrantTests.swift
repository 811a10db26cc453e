import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// Calls whose account gets another grant during the call.
struct ReplacedGrantTests {
  private static let members: [JSON.Member] = [
    .init("apiBase", "https://{site}.api.example/"), .init("apiHosts", ["*.api.example"]), .init("tokenMembers", ["site"]),
  ]

  /// With the first response, the account gets the token and site of another sign-in.
  private static func stage(_ first: HTTPResponse, _ requests: SentRequests) async throws -> Stage {
    let store = MemoryStore()
    let other = Stage(PreparedResponses(), store: store)
    @Sendable func keep(_ site: String, _ generation: Int) async throws {
      try await other.keep {
        $0.provider = .object(ProviderCatalog.merge(members, over: Stage.provider))
        $0.attributes = NamedValues([("site", site)])
        $0.accessToken = Secret("token of \(site)")
        $0.generation = generation
      }
    }
    try await keep("one", 1)
    let server = Server { request async throws(HTTPFailure) in
      guard requests.add(request) == 1 else { return .json("{}") }
      do { try await keep("two", 2) } catch { throw .cancelled }
      return first
    }
    return Stage(server, store: store)
  }

  private let requests = SentRequests()

  private func check() {
    #expect(requests.all.map(\.url) == ["https://one.api.example/items", "https://two.api.example/items"])
    #expect(requests.all.map { $0.header("Authorization") } == ["Bearer token of one", "Bearer token of two"])
  }

  @Test func theReplayGoesWhereTheNewGrantLeads() async throws {
    let stage = try await Self.stage(.json("{}", status: 401), requests)
    let request = APIRequest(account: "a", url: "items")
    #expect(try await APICall(accounts: stage.accounts, request: request) { _ in true }.run().status == 200)
    check()
  }

  @Test func aStepUpGoesWhereTheNewGrantLeads() async throws {
    let challenge = HTTPHeader("WWW-Authenticate", #"Bearer error="insufficient_scope", scope="write""#)
    let stage = try await Self.stage(HTTPResponse(status: 403, headers: [challenge], body: []), requests)
    let request = APIRequest(account: "a", url: "items")
    let call = try APICall(accounts: stage.accounts, request: request, stepUp: { _ in true }) { _ in true }
    #expect(try await call.run().status == 200)
    check()
  }
}
