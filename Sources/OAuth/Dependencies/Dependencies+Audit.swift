import OAuthCore
import Platform
import Synchronization

extension Dependencies {
  /// Sends a request with a credential of the account, like `HTTPClient.exchange`, and records that.
  /// `secrets` are those of the account that the path may hold.
  func exchange(
    _ request: HTTPRequest, to provider: Provider, for account: String, as use: String, hiding secrets: [Secret?] = []
  ) async throws -> HTTPResponse {
    try await recorded(request, of: account, as: use, hiding: Redaction(secrets.compactMap(\.self), provider: provider)) {
      try await http.exchange($0, to: provider)
    }
  }

  /// Sends a request with a credential of the account. With an audit file, a line is written before each sending, which otherwise fails, and
  /// another one after it.
  func recorded(
    _ request: HTTPRequest, of account: String, as use: String, hiding hidden: @autoclosure () -> Redaction,
    _ send: (HTTPRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    guard let audit else {
      defer { store.wasUsed(account) }
      return try await send(request)
    }
    let deadline = clock.deadline(in: request.timeout)
    while true {
      var use = CredentialUse(account, use, request, id: Base64.encodeURL(random(9)), hiding: hidden())
      try await audit.write(use, within: max(1, deadline.left - request.answerTime))
      defer { store.wasUsed(account) }
      let (wasSent, isRepeated) = (Flag(), Flag())
      var sent = request
      sent.timeout = max(1, deadline.left)
      sent.mayBeSent = {
        // libcurl repeats a request that a kept connection lost. That needs a line of its own, and libcurl's thread must not wait for a disk.
        guard !wasSent.isSet else {
          isRepeated.set()
          return false
        }
        wasSent.set()
        return request.mayBeSent?() ?? true
      }
      do {
        let response = try await send(sent)
        use.result = .success(response.status)
        end(use, in: audit)
        return response
      } catch {
        use.result = .failure(Self.failure(error))
        end(use, in: audit)
        guard isRepeated.isSet, !Task.isCancelled else { throw error }
      }
    }
  }

  private static func failure(_ error: any Error) -> OAuthFailure {
    switch error {
    case let failure as OAuthFailure: failure
    case let failure as HTTPFailure: OAuthFailure(failure)
    default: OAuthFailure(.cancelled)
    }
  }

  // MARK: Refreshes

  /// The second lines of a refresh.
  private final class LaterLines: Sendable {
    @TaskLocal static var current: LaterLines?

    let uses = Mutex<[CredentialUse]>([])
  }

  private func end(_ use: CredentialUse, in audit: AuditLog) {
    if let later = LaterLines.current { later.uses.withLock { $0.append(use) } } else { audit.end(use) }
  }

  /// Does a refresh. Its second lines are written after it: by then, the grant is stored and its lock is free.
  func recordingAfterwards<Value: Sendable>(_ refresh: @Sendable () async throws -> Value) async throws -> Value {
    guard let audit else { return try await refresh() }
    let later = LaterLines()
    defer { for use in later.uses.withLock({ $0 }) { audit.end(use) } }
    return try await LaterLines.$current.withValue(later) { try await refresh() }
  }
}
