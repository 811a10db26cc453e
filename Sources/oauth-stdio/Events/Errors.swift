import JSONRPC
import Jansson
import OAuth
import OAuthCore

/// Converts every failure to an error on the wire.
enum Errors {
  static func rpcError(_ error: any Error) -> RPCError {
    switch error {
    case let failure as OAuthFailure:
      var data: [JSON.Member] = [.init("kind", .string(failure.kind.rawValue)), .init("retryable", .bool(failure.isRetryable))]
      if let account = failure.account { data.append(.init("account", .string(account))) }
      return RPCError(code: failure.kind.code, message: failure.message, data: .object(data + failure.details))
    case let fault as AuthorizationInput.Fault:
      return RPCError(code: RPCError.invalidParamsCode, message: fault.failure.message, data: .object(fault.failure.details))
    case is CancellationError:
      return RPCError(code: -32000, message: "the work was cancelled from elsewhere", data: ["retryable": true])
    default:
      // The text of an unexpected error may contain a secret.
      return RPCError(code: -32603, message: "an internal error")
    }
  }

  /// All errors, for the OpenRPC document.
  static var all: [OpenRPC.ErrorDeclaration] {
    OAuthFailure.Kind.allCases.map { ($0.code, $0.rawValue, $0.meaning, $0.members) }
  }
}

// The kinds that methods share, for the OpenRPC document. A test compares them with every error that it sees.
extension Errors {
  /// The errors of reading and writing grants, the configuration and provider files.
  static let stored = names(.timedOut, .storageFailure, .configurationInvalid)
  /// The errors of discovering a provider.
  static let discovery = stored + network
  /// The errors of getting a valid token without the user.
  static let token = stored + network + names(.signInRequired, .accessDenied)
  /// The errors that end a sign-in.
  static let signIn = token + names(.portInUse, .serviceError)
  /// The errors of asking the user.
  static let asking = signIn + names(.signInInProgress)
  /// The errors of calling the service.
  static let call = asking + names(.insufficientScope, .insufficientUserAuthentication)

  private static let network = names(
    .authorizationServerError, .networkFailure, .hostNotAllowed, .responseUntrusted, .unsupportedByProvider, .responseTooLarge)

  static func names(_ kinds: OAuthFailure.Kind...) -> [String] { kinds.map(\.rawValue) }
}
