import JSONRPC
import Jansson
import OAuthCore
import Plans

/// Converts every failure to an error on the wire.
enum Errors {
  static func rpcError(_ error: any Error) -> RPCError {
    switch error {
    case let reported as OAuthFailure.Reported: return rpcError(reported.failure)
    case let failure as OAuthFailure:
      var data: [JSON.Member] = [.init("kind", .string(failure.kind.rawValue)), .init("retryable", .bool(failure.isRetryable))]
      if let account = failure.account { data.append(.init("account", .string(account))) }
      return RPCError(code: failure.kind.code, message: failure.message, data: .object(data + failure.details))
    case let fault as AuthorizationInput.Fault:
      return RPCError(code: RPCError.invalidParamsCode, message: fault.failure.message, data: .object(fault.failure.details))
    case is CancellationError: return RPCError(code: -32000, message: "the work was cancelled", data: ["retryable": true])
    default:
      // The text of an unexpected error may contain a secret.
      return RPCError(code: -32603, message: "internal error in oauth-stdio: please report it with the log of --log-level debug")
    }
  }

  /// All errors, for the OpenRPC document.
  static var all: [OpenRPC.ErrorDeclaration] { OAuthFailure.Kind.allCases.map { ($0.code, $0.rawValue, $0.meaning, $0.members) } }
}

// The kinds that methods share, for the OpenRPC document. A test compares them with every error that it sees.
extension Errors {
  /// The errors of reading and writing grants, the configuration and provider files.
  static let stored = names(.timedOut, .storageFailure, .configurationInvalid, .notAllowed)
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

extension OAuthFailure.Kind {
  private static let lists = (try? JSON.parse(PackageResources.ErrorMembers_json)) ?? .null
  /// A value of each type that `ErrorMembers.json` names.
  private static let samples: [String: any FieldValue] = [
    "text": "", "texts": [""], "number": 0, "flag": true, "any": JSON.null, "fields": NamedValues<String>(),
    "reason": OAuthFailure.Reason.expired, "encoding": BodyEncoding.utf8, "rule": Limits.Rule.readOnly,
  ]

  /// The members of an error's data besides `kind`, for the schema.
  var members: [ObjectReader.Declaration] {
    var data = ObjectWriter(describing: ())
    for list in ["every", rawValue] { Self.add(list, to: &data) }
    return data.declarations
  }

  /// Adds the members of a list. In it, the name of another list stands for the members of that one.
  private static func add(_ list: String, to data: inout ObjectWriter) {
    for row in lists[list]?.array ?? [] {
      guard let parts = row.array?.compactMap(\.string) else {
        add(row.string ?? "", to: &data)
        continue
      }
      guard let sample = samples[parts[1]] else { preconditionFailure("ErrorMembers.json has the unknown type \(parts[1])") }
      if parts.count > 3 { data.add(parts[0], sample, parts[2]) } else { data.add(optional: parts[0], sample, parts[2]) }
    }
  }
}
