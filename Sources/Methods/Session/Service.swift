import JSONRPC
import OAuth
import OAuthCore
import Plans
import Platform

/// The context of every method: the accounts and the session.
package struct Service: MethodContext {
  package let accounts: Accounts
  package let catalog: ProviderCatalog
  package let configuration: ConfigurationFile
  package let notifier: Notifier
  package let session: Session
  package let limits: Limits
  let log: Log
  package let shutdown: ShutdownSequence
  /// Whether the user who started the process allows the export of whole grants.
  let allowsExport: Bool
  let stores: Stores
  /// The command that the process runs; nil if it serves a client.
  let command: String?
  /// In seconds, for calls without a limit of their own. The client ends them by a cancellation.
  private static let longestTimeout = 86_400

  /// Writes the answers to what was received together. Waits for a client that does not read.
  package func framesWereReceived() {
    notifier.output.writeGathered()
    notifier.output.waitForReader()
    wasAnswered()
  }

  package func check(_ method: MethodEntry<Service>) throws { try limits.check(method) }

  package func rpcError(_ error: any Error) -> RPCError { Errors.rpcError(error) }

  package func isFinal(_ error: any Error) -> Bool { (error as? OAuthFailure.Reported)?.isFinal == true }

  /// Runs a call's work and reports its failure as an event, unless the sign-in has reported it. A failed notification has no other answer.
  /// The call's `timeout` ends its wait for the store, too. Work that begins with a valid token prepares the store itself, if it must be waited for.
  func reportingFailure<Value>(
    _ call: Call, _ account: String?, within timeout: Int? = nil, preparesStore: Bool = true, _ work: () async throws -> Value
  ) async throws -> Value {
    do {
      if let account { try limits.check(account: account) }
      if preparesStore { try await accounts.prepareStore(account, within: timeout ?? Self.longestTimeout) }
      return try await work()
    } catch {
      // A call that the client cancelled has not failed. A later cancellation does not change a failure.
      guard let thrown = error as? OAuthFailure, !Task.isCancelled else { throw error }
      let failure = limits.advising(thrown)
      notifier.notify(ErrorOccured(failure, account: failure.account ?? account, request: call.id?.json))
      throw OAuthFailure.Reported(failure, isFinal: true)
    }
  }

  /// Reports a failed notification, because it gets no answer. Unknown notifications that LSP and MCP let a server ignore are not reported.
  package func notificationWasRejected(_ method: String, _ error: any Error, _ shown: RPCError) {
    log.say(.debug, "a notification was rejected: \(shown.message)")
    if error is OAuthFailure.Reported { return }
    if let failure = error as? OAuthFailure {
      notifier.notify(ErrorOccured(failure, account: failure.account, request: nil))
    } else if shown.code != RPCError.methodNotFoundCode || !["$/", "notifications/"].contains(where: method.hasPrefix) {
      notifier.notify(ErrorOccured(rejecting: shown))
    }
  }

  /// Notices the changes of other processes after the first answer that may depend on the store. The start is faster without that.
  /// A client that sends `initialize` stays.
  package func wasAnswered() {
    if accounts.hasUsedStore || session.isInitialized { accounts.watchIfWanted(soon: !session.isInitialized) }
  }

  /// Returns the input with the members that depend on the session and the call.
  func completed(_ input: AuthorizationInput, _ call: Call) -> AuthorizationInput {
    var input = input
    input.clientOpensPages = session.clientOpensPages
    input.isUserRequest = command == "login"
    input.requestID = call.id?.json
    return input
  }
}
