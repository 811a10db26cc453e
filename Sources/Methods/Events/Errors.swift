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
  /// The members of an error's data besides `kind`, for the schema.
  var members: [ObjectReader.Declaration] {
    var data = ObjectWriter(describing: ())
    data.add("retryable", true, "Whether the same request may succeed later.")
    data.add(optional: "account", "", "The account's name.")
    switch self {
    case .signInRequired:
      data.add(optional: "reason", OAuthFailure.Reason.expired, "The reason why the user must sign in.")
      data.add(optional: "previousIssuer", "", "The issuer of the grant, if the API names another one now.")
      data.add(optional: "issuer", "", "The issuer that the API names now.")
      data.add(optional: "scopes", [""], "The scopes that another token of the login lacks.")
      data.addServerError()
    case .accessDenied:
      data.add(optional: "reason", "", "`anotherUser` if a user other than the account's signed in.")
      data.addServerError()
    case .authorizationServerError: data.addServerError()
    case .insufficientScope, .insufficientUserAuthentication:
      if self == .insufficientScope {
        data.add(optional: "scopes", [""], "The missing scopes. The list is empty if the service does not name them.")
      } else {
        data.add(optional: "acrValues", [""], "The ways of signing in that the service accepts. An empty list accepts any.")
        data.add(optional: "maxAge", 0, "The greatest age of the sign-in, in seconds.")
      }
      data.add(optional: "claims", "", "The claims that the service demands of the sign-in: a JSON object as text. `stepUp` sends them.")
      data.addResponse()
    case .serviceError: data.addResponse()
    case .networkFailure:
      data.add(optional: "host", "", "The host that could not be reached.")
      data.add(
        optional: "cause", "",
        "The cause: `resolve`, `connect`, `proxy`, `tls`, `protocol`, `broken`, `redirects`, `cancelled`, `loopback`, `descriptors`, `libcurl` or "
          + "`clientCertificate`."
      )
    case .timedOut:
      data.add(optional: "host", "", "The host that did not answer in time.")
      data.addLockHolder()
    case .storageFailure:
      data.add(optional: "path", "", "The file or folder.")
      data.add(optional: "key", "", "The place of the key that is not usable: `keyring` or `command`.")
      data.add(optional: "setAside", "", "The new place of an unreadable grant.")
      data.addLockHolder()
    case .configurationInvalid:
      data.add(optional: "path", "", "The JSON pointer of the faulty member, or the option that is missing.")
      data.add(optional: "file", "", "The file with the fault.")
      data.add(optional: "known", [""], "The known names, if the given one is unknown.")
      data.add(optional: "missing", [""], "The names of `variables` that the provider's description needs.")
    case .hostNotAllowed:
      data.add(optional: "host", "", "The host that requests or the token must not go to, in the form of `apiHosts`.")
      data.add(optional: "allowed", [""], "The hosts that the token may go to.")
    case .responseUntrusted:
      data.add(optional: "baseString", "", "OAuth 1.0a: the text that the request signed, with masked secrets (RFC 5849, 3.4.1).")
      data.add(optional: "issuer", "", "The issuer that the redirect names (RFC 9207).")
      data.add(optional: "wantedIssuer", "", "The issuer that the redirect must name.")
    case .portInUse: data.add(optional: "port", 0, "The port that is in use.")
    case .responseTooLarge: data.add(optional: "maxBytes", 0, "The size limit in bytes.")
    case .signInInProgress: data.add("signIn", "", "The ID of the open sign-in, for `awaitSignIn`.")
    case .notAllowed: data.add("rule", Limits.Rule.readOnly, "The limit, by the name of its option.")
    case .unsupportedByProvider: data.addRedirectTarget()
    }
    return data.declarations
  }
}

extension ObjectWriter {
  fileprivate mutating func addResponse() {
    add(optional: "httpStatus", 0, "The HTTP status.")
    add(optional: "headers", NamedValues<String>(), "The response's headers, with names in lower case.")
    add(optional: "body", "", "The body, unless `json` has it.")
    add(optional: "bodyEncoding", BodyEncoding.utf8, "The encoding of the body.")
    add(optional: "json", JSON.null, "The body as JSON, if the caller wanted it and every client can parse it.")
    add(optional: "jsonOmitted", "", "The reason why there is no `json` although the caller wanted it.")
    add(optional: "attempts", 0, "The number of times that the process sent the request, without redirects.")
    add(optional: "retryAfter", 0, "The seconds after which the service accepts calls again.")
    add(optional: "code", JSON.null, "The service's own code, or -1 if the place in the provider's description is empty.")
    add(optional: "serviceMessage", "", "The service's own message.")
    add(optional: "serviceDetails", JSON.null, "The service's own details, as JSON.")
  }

  fileprivate mutating func addRedirectTarget() {
    add(optional: "location", "", "The target of a redirect that the process does not follow, with masked secrets.")
  }

  fileprivate mutating func addLockHolder() {
    add(optional: "pid", 0, "The ID of the process that holds the account's lock.")
    add(optional: "since", 0, "The time when it took the lock, in Unix seconds.")
  }

  fileprivate mutating func addServerError() {
    add(optional: "error", "", "The authorization server's own code.")
    add(optional: "errorDescription", "", "The authorization server's own description.")
    add(optional: "errorUri", "", "An https page about the error.")
    add(optional: "errorCodes", JSON.null, "Microsoft's numbers of the error.")
    add(optional: "suberror", JSON.null, "Microsoft's word for the cause.")
    add(optional: "code", JSON.null, "Facebook's number of the error.")
    add(optional: "errorSubcode", JSON.null, "Facebook's number of the cause.")
    add(optional: "claims", "", "The claims that the next sign-in has to bring: a JSON object as text. `authorize` sends them.")
    add(optional: "interval", JSON.null, "With `slow_down`: the seconds between two requests that the server wants.")
    add(optional: "httpStatus", 0, "The HTTP status.")
    addRedirectTarget()
    add(optional: "retryAfter", 0, "The seconds until the process sends the server another request.")
    add(optional: "body", "", "The start of a body that is not a standard error (RFC 6749), with masked secrets. It has at most 4 KB.")
    add(optional: "baseString", "", "OAuth 1.0a: the text that the rejected request signed, with masked secrets (RFC 5849, 3.4.1).")
  }
}
