import JSONRPC
import Jansson
import OAuth

/// Sees to it that the access token lives for a while; never opens a page.
struct Refresh: TaskMethod {
  static let name = "refresh"
  static let summary = "Replaces the access token unless it lives long enough; never opens a page."

  private let account: String
  private let minimumValidity: Int?
  private let force: Bool
  private let timeout: Int

  init(_ fields: inout Fields) throws(FieldError) {
    account = try fields.account()
    minimumValidity = try fields.optional(
      "minimumValidity", in: 0...31_536_000,
      "Seconds that the token has to live; by default a minute, or a quarter of its lifetime if that is shorter.")
    force = try fields.optional("force", "Whether to replace a token that still lives.") ?? false
    timeout = try fields.tokenTimeout()
  }

  func run(_ call: Call, _ service: Service) async throws -> AuthorizationResult {
    try await service.telling(call, account) {
      let outcome = try await service.accounts.inTime(account, timeout) {
        try await service.accounts.refresh(account, validity: minimumValidity, force: force, cause: call.id?.json)
      }
      return AuthorizationResult(authorization: outcome.authorization, refreshed: outcome.refreshed)
    }
  }
}
