import OAuth

extension OAuthFailure.Kind {
  /// What an error's data may have beside `kind`, `retryable` and `account`, for the schema.
  var members: [(name: String, documentation: String)] {
    switch self {
    case .signInRequired:
      [("reason", "noGrant, refreshRefused, scopesMissing or expired."), ("signIn", "The open sign-in of the account that is in the way.")]
    case .authorizationServerError:
      [
        ("error", "The server's own code."), ("errorDescription", "What it says beside it."), ("errorUri", "Where it says more."),
        ("httpStatus", "The status of its answer."),
      ]
    case .serviceError:
      [
        ("httpStatus", "The status of its answer."), ("headers", "Its headers, names in lower case."),
        ("body", "What came, byte for byte; json stands in its place where that was asked for."),
        ("code", "The service's own code, where the provider's description says where it stands; -1 where none stands there."),
        ("serviceMessage", "What the service itself says; the error's message is ours."),
        ("serviceDetails", "What more it says of it, as its own JSON."),
      ]
    case .networkFailure: [("host", "Whom nobody reached."), ("cause", "Why, in one word.")]
    case .configurationInvalid:
      [
        ("path", "The member that is wrong, as a JSON pointer."), ("file", "The file that it stands in."),
        ("known", "The names that there are, where one that there is not was given."),
      ]
    case .hostNotAllowed: [("host", "The host that the token may not go to."), ("allowed", "Where it may go.")]
    case .portInUse: [("port", "The port that is taken.")]
    case .responseTooLarge: [("maxBytes", "How many were allowed.")]
    case .accessDenied, .timedOut, .storageFailure, .responseUntrusted, .unsupportedByProvider: []
    }
  }
}
