import OAuth

extension OAuthFailure.Kind {
  /// What an error's data may have beside `kind`, `retryable` and `account`, for the schema.
  var members: [(name: String, documentation: String)] {
    switch self {
    case .signInRequired:
      [
        ("reason", "noGrant, refreshRefused, scopesMissing or expired."),
        ("signIn", "The open sign-in of the account that is in the way."),
      ] + Self.serverError
    case .accessDenied: [("reason", "anotherUser: another user signed in than the account's.")] + Self.serverError
    case .authorizationServerError: Self.serverError
    case .insufficientScope: [("scopes", "What the service wants beside what was granted; empty where it does not say.")] + Self.response
    case .insufficientUserAuthentication:
      [
        ("acrValues", "The ways of signing in that the service accepts; empty if it accepts any."),
        ("maxAge", "How many seconds ago the user may have signed in at most."),
      ] + Self.response
    case .serviceError: Self.response
    case .networkFailure:
      [
        ("host", "Host that could not be reached."),
        ("cause", "Why: resolve, connect, proxy, tls, protocol, broken, redirects, cancelled, loopback, descriptors, or libcurl."),
      ]
    case .timedOut: [("host", "Host that did not answer in time.")] + Self.lockHolder
    case .storageFailure:
      [("path", "The file or folder."), ("setAside", "The file that an unreadable grant was moved to.")] + Self.lockHolder
    case .configurationInvalid:
      [
        ("path", "The member that is wrong, as a JSON pointer."), ("file", "The file that contains it."),
        ("known", "The known names, if the one given is unknown."),
      ]
    case .hostNotAllowed:
      [("host", "Host that the token may not go to, in the form of apiHosts."), ("allowed", "Hosts that it may go to.")]
    case .responseUntrusted:
      [
        ("baseString", "OAuth 1.0a: what the request signed that was answered so, secrets masked (RFC 5849, 3.4.1)."),
        ("issuer", "The issuer that the redirect names (RFC 9207)."), ("wantedIssuer", "The issuer that it should name."),
      ]
    case .portInUse: [("port", "The port that is taken.")]
    case .responseTooLarge: [("maxBytes", "How many were allowed.")]
    case .unsupportedByProvider: []
    }
  }

  private static var response: [(name: String, documentation: String)] {
    [
      ("httpStatus", "The status of its answer."), ("headers", "Its headers, names in lower case."),
      ("body", "What came, byte for byte; not there where json is."),
      ("bodyEncoding", "utf8, or base64 where the body is no clean UTF-8."),
      ("json", "The service's own JSON, where it was asked for and is safe for every client's parser."),
      ("jsonOmitted", "Why there is no json although it was asked for."),
      ("attempts", "How often the request was sent, redirects aside."),
      ("code", "The service's own code, where the provider's description says where it stands; -1 where none stands there."),
      ("serviceMessage", "What the service itself says; the error's message is ours."),
      ("serviceDetails", "What more it says of it, as its own JSON."),
    ]
  }

  private static var lockHolder: [(name: String, documentation: String)] {
    [("pid", "The process that has the account's lock."), ("since", "When it took the lock, in Unix seconds.")]
  }

  private static var serverError: [(name: String, documentation: String)] {
    [
      ("error", "The authorization server's own code."), ("errorDescription", "What it says beside it."),
      ("errorUri", "An https page where it says more."), ("errorCodes", "Microsoft's numbers of the error."),
      ("suberror", "Microsoft's word for its cause."),
      ("code", "Facebook's number of the error."), ("errorSubcode", "Facebook's number of its cause."),
      ("interval", "With slow_down: the seconds between two requests that the server wants."), ("httpStatus", "The status of its answer."),
      ("retryAfter", "Seconds until the server may be asked again; until then nothing is sent to it."),
      ("body", "What came where it is no error as RFC 6749 has it, secrets masked, 4 KB at most."),
      ("baseString", "OAuth 1.0a: what the refused request signed, secrets masked (RFC 5849, 3.4.1)."),
    ]
  }
}
