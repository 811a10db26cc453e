import JSONRPC
import Jansson
import OAuthCore

struct ErrorOccured: Event {
  static let name = "errorOccuredWithShortDescription"
  static let summary =
    "A notification was rejected, or a request failed with a positive code. `errorInResponseWithBody` reports an error of the service instead. "
    + "The name has the spelling of the Objective-C delegate method."
  static var sample: ErrorOccured { .init(OAuthFailure(.timedOut, ""), account: "", request: .null) }

  var account: String?
  var request: JSON?
  var shortDescription: String
  var errorDetails: String
  var kind: String

  init(_ failure: OAuthFailure, account: String?, request: JSON?) {
    self.account = account
    self.request = request
    (shortDescription, errorDetails, kind) = (failure.kind.meaning, failure.message.plain, failure.kind.rawValue)
  }

  /// Reports a notification that broke the protocol's rules or a method's.
  init(rejecting error: RPCError) {
    let kinds = [
      RPCError.methodNotFoundCode: "methodNotFound", RPCError.invalidParamsCode: "invalidParams",
      RPCError.internalErrorCode: "internalError",
    ]
    (shortDescription, errorDetails, kind) = ("a notification was rejected", error.message, kinds[error.code] ?? "invalidRequest")
  }

  func list(_ members: inout ObjectWriter) {
    members.add(account: account, request: request)
    members.add("shortDescription", shortDescription, "The kind of failure as a sentence.")
    members.add("errorDetails", errorDetails, "This failure as a sentence.")
    members.add(
      "kind", kind,
      "The error's kind. A rejected notification may also have `methodNotFound`, `invalidParams`, `invalidRequest` or " + "`internalError`."
    )
  }
}
