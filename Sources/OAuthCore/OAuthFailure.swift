import Jansson

/// The error that reaches the client. Narrower errors are converted to it. The kind determines what to do next; the message is for people.
package struct OAuthFailure: Error, Sendable, Equatable {
  /// The kinds in the order of their codes on the wire. A code never changes, so a new kind comes last.
  package enum Kind: String, Sendable, CaseIterable {
    case signInRequired, accessDenied, authorizationServerError, serviceError, networkFailure, timedOut, storageFailure
    case configurationInvalid, hostNotAllowed, responseUntrusted, portInUse, unsupportedByProvider, responseTooLarge
    case insufficientScope, insufficientUserAuthentication, signInInProgress, notAllowed

    package var code: Int { 1000 + (Self.allCases.firstIndex(of: self) ?? 0) }

    /// One sentence for the schema.
    package var meaning: String {
      switch self {
      case .signInRequired: "the user must sign in first"
      case .accessDenied: "the user or the provider denied the request, or a different user signed in"
      case .authorizationServerError: "the authorization server answered with an error"
      case .serviceError: "the service answered with an error"
      case .networkFailure: "a network operation failed"
      case .timedOut: "the time limit was reached"
      case .storageFailure: "a grant or a file could not be read or written"
      case .configurationInvalid: "the configuration is invalid"
      case .hostNotAllowed: "a request to this host is not allowed"
      case .responseUntrusted: "a response failed a security check"
      case .portInUse: "the port of the redirect URI is in use"
      case .unsupportedByProvider: "the provider does not support this"
      case .responseTooLarge: "the response is larger than the limit"
      case .insufficientScope: "the service requires a scope that the token does not have"
      case .insufficientUserAuthentication: "the service requires a stronger or a more recent sign-in"
      case .signInInProgress: "another sign-in of the account is open"
      case .notAllowed: "a limit that was set at the start does not allow this"
      }
    }
  }

  package var kind: Kind
  /// What happened: a lower-case sentence without secrets. It may name what came from outside, so `init` makes it plain.
  package var problem: String
  /// What to do next.
  package var advice: Advice?
  /// The fault in a member; nil if the failure is about something else.
  package private(set) var field: FieldError?
  /// Members of the error's data besides kind, retryable and account.
  package var details: [JSON.Member]
  /// Whether the same call may succeed later although neither the caller nor the user changes anything.
  package var isRetryable: Bool
  package var account: String?
  /// What the token endpoint's refusal says about the login; nil if it says nothing.
  package var refusal: Refusal?
  /// A refresh token from a response that is otherwise unusable. It is never reported.
  package var rotatedRefreshToken: Secret?
  /// Whether a newer version of the program wrote the file. This version must not replace it.
  package var isOfNewerVersion = false
  /// Whether a grant was not written because another machine has stored a newer one or has removed the account.
  package var isSuperseded = false
  /// Whether the grants would be in the folder of a user whom the process does not trust.
  package var isOfOtherUser = false

  package init(_ kind: Kind, _ message: String, details: [JSON.Member] = [], isRetryable: Bool = false, account: String? = nil) {
    self.kind = kind
    problem = message.plain
    (self.details, self.isRetryable, self.account) = (details, isRetryable, account)
  }

  /// Returns the failure with another value of a member.
  package func with<Value>(_ member: WritableKeyPath<OAuthFailure, Value>, _ value: Value) -> OAuthFailure {
    var failure = self
    failure[keyPath: member] = value
    return failure
  }

  package func of(_ account: String) -> OAuthFailure { with(\.account, self.account ?? account) }

  package subscript(_ name: String) -> JSON? { details.first { $0.name == name }?.value }
}

extension OAuthFailure {
  /// A failure that an event has reported. Its receiver answers with it and sends no other event.
  package struct Reported: Error {
    package let failure: OAuthFailure
    /// Whether the work had ended before any cancellation, which then comes too late.
    package let isFinal: Bool

    package init(_ failure: OAuthFailure, isFinal: Bool = false) { (self.failure, self.isFinal) = (failure, isFinal) }
  }

  /// Why a sign-in is needed.
  package enum Reason: String, StringEnum {
    package static let schemaName: String? = "NeededSignInReason"

    case noGrant, refreshRefused, scopesMissing, expired, issuerChanged, clientRejected

    package var documentation: String {
      switch self {
      case .noGrant: "The account has no grant."
      case .refreshRefused: "The provider rejected the refresh token."
      case .scopesMissing: "The grant lacks requested scopes."
      case .expired: "The access token has expired and cannot be refreshed."
      case .issuerChanged: "The API names another authorization server than that of the grant."
      case .clientRejected: "The provider rejected the client that this program registered. The next sign-in registers another."
      }
    }
  }

  /// Without `why`, the reason's documentation says it. A whole `message` stands for all of it, without advice.
  package static func signInRequired(
    _ reason: Reason, account: String, why: String? = nil, message: String? = nil, advice: Advice = .signIn
  ) -> OAuthFailure {
    let documented = reason.documentation.prefix(1).lowercased() + reason.documentation.dropFirst().dropLast()
    return OAuthFailure(
      .signInRequired, message ?? "sign-in is required: \(why ?? documented)", details: [.init("reason", .string(reason.rawValue))],
      account: account
    ).with(\.advice, message == nil ? advice : nil)
  }

  /// The authorization server's error; nil if there is none, or one that is only shown.
  package var serverError: ServerError? { self["error"]?.string.flatMap(ServerError.init) }

  /// Whether the server names a fault of the request or of the client, and no end of the login.
  package var blamesClient: Bool { serverError?.wantsUser == false }

  /// What that means for the first refresh.
  package static let firstRefresh =
    "the first refresh after the sign-in was rejected, and the provider's description or the client is the likely cause"

  /// The user, or the server in the user's name, denied the sign-in. `reason` is the server's own and has no secrets.
  package static func denied(_ reason: String?, _ details: [JSON.Member]) -> OAuthFailure {
    OAuthFailure(.accessDenied, "the sign-in was denied\(Redaction.none.sentence(reason))", details: details)
  }

  package static func untrusted(_ message: String) -> OAuthFailure { OAuthFailure(.responseUntrusted, message) }

  /// A response of another issuer than the one that was asked (RFC 9207, 2.4; OpenID Connect Core, 3.1.3.7).
  package static func otherIssuer(_ what: String, _ named: String, _ wanted: String) -> OAuthFailure {
    let issuers: [JSON.Member] = [.init("issuer", .string(named)), .init("wantedIssuer", .string(wanted))]
    return untrusted("\(what) names the issuer \(named), but \(wanted) was asked").with(\.details, issuers)
  }

  /// `path` is the JSON Pointer of the member with the fault.
  package static func misconfigured(_ path: String, _ message: String) -> OAuthFailure {
    OAuthFailure(.configurationInvalid, message, details: [.init("path", .string(path))])
  }

  /// The provider's description lacks a member.
  package static func lacking(_ member: String) -> OAuthFailure {
    misconfigured("/provider/\(member)", "the provider's description has no \(member)")
  }

  package static func misconfigured(_ fault: FieldError) -> OAuthFailure {
    misconfigured(fault.path, fault.message).with(\.field, fault)
  }

  package static func unsupported(_ message: String) -> OAuthFailure { OAuthFailure(.unsupportedByProvider, message) }
}
