import Jansson
import TestSupport

@testable import Calls
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// Calls for an account with a grant, to a service with prepared answers.
struct CallStage {
  let server = PreparedResponses()
  let stage: Stage

  init(expiresIn: Int? = 3600, refreshToken: String? = "refresh-1", apiHeaders: JSON = [:], with members: [JSON.Member] = []) async throws {
    stage = Stage(server)
    try await stage.keep(expiresIn: expiresIn, refreshToken: refreshToken) { grant in
      grant.provider = .object(ProviderCatalog.merge(members + [.init("apiHeaders", apiHeaders)], over: Stage.provider))
    }
  }

  func call(_ url: String = "items", _ change: (inout APIRequest) -> Void = { _ in }) async throws -> APIResponse {
    var request = APIRequest(account: "a", url: url)
    change(&request)
    return try await APICall(accounts: stage.accounts, request: request) { _ in true }.run()
  }

  func redirect(_ status: Int = 302, to location: String) {
    server.add(status: status, headers: [HTTPHeader("Location", location)], body: "")
  }

  /// Returns the error that rejects a request before anything is sent.
  func fieldError(_ url: String = "items", _ change: (inout APIRequest) -> Void = { _ in }) async -> FieldError? {
    do {
      _ = try await call(url, change)
      return nil
    } catch {
      return error as? FieldError
    }
  }

  var urls: [String] { server.requests.map(\.url) }
  var credentials: [String?] { server.requests.map { $0.header("Authorization") } }
}
