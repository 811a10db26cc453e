import Jansson

/// Why something that was asked for did not happen: the one error of this module. Its kind says what to do next, its message is for people.
package struct OAuthFailure: Error, Sendable, Equatable {
  /// The kinds, each with its number on the wire.
  package enum Kind: String, Sendable, CaseIterable {
    case signInRequired, accessDenied, authorizationServerError, serviceError, networkFailure, timedOut, storageFailure
    case configurationInvalid, hostNotAllowed, responseUntrusted, portInUse, unsupportedByProvider, responseTooLarge
    case insufficientScope, insufficientUserAuthentication

    package var code: Int { 1000 + (Self.allCases.firstIndex(of: self) ?? 0) }

    /// One sentence for the schema.
    package var meaning: String {
      switch self {
      case .signInRequired: "the user has to sign in first"
      case .accessDenied: "the user or the provider said no"
      case .authorizationServerError: "the authorization server answered with an error"
      case .serviceError: "the service answered with an error"
      case .networkFailure: "the server could not be reached"
      case .timedOut: "the time ran out"
      case .storageFailure: "a grant or a file could not be read or written"
      case .configurationInvalid: "the configuration has a fault"
      case .hostNotAllowed: "the account's token may not go to this host"
      case .responseUntrusted: "an answer failed a check that protects the user"
      case .portInUse: "the pinned port is taken"
      case .unsupportedByProvider: "the provider has no way to do this"
      case .responseTooLarge: "the response is larger than was allowed"
      case .insufficientScope: "the service wants a scope that the token does not have"
      case .insufficientUserAuthentication: "the service wants the user to sign in in a stronger way, or again"
      }
    }
  }

  package var kind: Kind
  /// A whole lower-case sentence without secrets.
  package var message: String
  /// Members of the error's data beside kind, retryable and account.
  package var details: [JSON.Member]
  /// Whether the same call may succeed later without anybody doing anything.
  package var isRetryable: Bool
  package var account: String?
  /// Whether an event has told of it already, so that a failed sign-in is told once.
  package var wasTold = false
  /// Whether a token endpoint refused the grant for good, so that asking again with the same refresh token is of no use.
  package var refusesRefreshToken = false
  /// A refresh token that came with an answer that is otherwise of no use; never a part of what is told.
  package var rotatedRefreshToken: Secret?
  /// Whether a newer version of the program wrote the file, which this version must not replace.
  package var isOfNewerVersion = false

  package init(
    _ kind: Kind, _ message: String, details: [JSON.Member] = [], isRetryable: Bool = false, account: String? = nil
  ) {
    self.kind = kind
    self.message = message
    self.details = details
    self.isRetryable = isRetryable
    self.account = account
  }

  package func of(_ account: String) -> OAuthFailure {
    var failure = self
    failure.account = failure.account ?? account
    return failure
  }

  package subscript(_ name: String) -> JSON? { details.first { $0.name == name }?.value }
}

extension OAuthFailure {
  /// Why a sign-in is needed.
  package enum Reason: String, Sendable {
    case noGrant, refreshRefused, scopesMissing, expired
  }

  package static func signInRequired(_ reason: Reason, account: String) -> OAuthFailure {
    let why =
      switch reason {
      case .noGrant: "nothing is kept for this account yet"
      case .refreshRefused: "the provider refused the refresh token"
      case .scopesMissing: "scopes that were asked for are not granted"
      case .expired: "the access token has expired and cannot be refreshed"
      }
    return OAuthFailure(
      .signInRequired, "sign-in is required: \(why)", details: [.init("reason", .string(reason.rawValue))], account: account)
  }

  package static func untrusted(_ message: String) -> OAuthFailure { OAuthFailure(.responseUntrusted, message) }

  package static func unsupported(_ message: String) -> OAuthFailure { OAuthFailure(.unsupportedByProvider, message) }

  /// A failure of the exchange itself; the host is named, the URL is not, since queries hold secrets.
  package init(_ failure: HTTPFailure) {
    switch failure {
    case .network(let host, HTTPFailure.noDescriptors, _):
      self.init(
        .networkFailure, "\(host) could not be reached: \(Descriptors.exhausted)",
        details: [.init("host", .string(host)), .init("cause", .string(HTTPFailure.noDescriptors))], isRetryable: true)
    case .network(let host, let cause, _):
      self.init(
        .networkFailure, cause == "broken" ? "the connection to \(host) broke off" : "\(host) could not be reached (\(cause))",
        details: [.init("host", .string(host)), .init("cause", .string(cause))], isRetryable: cause != "tls")
    case .timedOut(let host):
      self.init(.timedOut, "\(host) did not answer in time", details: [.init("host", .string(host))], isRetryable: true)
    case .tooLarge(let limit):
      self.init(.responseTooLarge, "the response is larger than \(limit) bytes", details: [.init("maxBytes", .integer(limit))])
    case .outOfScope(let host):
      self.init(
        .hostNotAllowed,
        "requests to \(host) are not allowed: it is on this machine or in a private network, further inside than the server that published it; "
          + "to allow it, name the host in the provider's description",
        details: [.init("host", .string(host))])
    case .file(let path, let reason):
      self.init(
        .storageFailure, "the file \(path) cannot be used: \(reason)", details: [.init("path", .string(path))],
        isRetryable: reason == Descriptors.exhausted)
    case .cancelled: self.init(.networkFailure, "the exchange was cancelled", details: [.init("cause", "cancelled")])
    case .unavailable(let reason):
      self.init(.networkFailure, "libcurl cannot be used: \(reason)", details: [.init("cause", "libcurl")])
    }
  }
}
