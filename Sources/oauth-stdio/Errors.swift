import JSONRPC
import Jansson
import OAuth

/// The one place where a failure becomes an error on the wire.
enum Errors {
  static func rpcError(_ error: any Error) -> RPCError {
    switch error {
    case let failure as OAuthFailure:
      var data: [JSON.Member] = [.init("kind", .string(failure.kind.rawValue)), .init("retryable", .bool(failure.isRetryable))]
      if let account = failure.account { data.append(.init("account", .string(account))) }
      return RPCError(code: failure.kind.code, message: failure.message, data: .object(data + failure.details))
    case is CancellationError:
      return RPCError(code: -32000, message: "the work was cancelled from elsewhere", data: ["retryable": true])
    default:
      // What an unforeseen error says of itself may hold a secret.
      return RPCError(code: -32603, message: "an internal error")
    }
  }

  /// For the OpenRPC document.
  static var all: [OpenRPC.ErrorDeclaration] {
    OAuthFailure.Kind.allCases.map { ($0.code, $0.rawValue, $0.meaning, $0.members) }
  }
}
