import JSONRPC
import Jansson
import OAuth

/// Has the provider take the tokens back, then forgets them.
struct Revoke: TaskMethod {
  static let name = "revoke"
  static let summary = "Has the provider take the tokens back, then forgets the grant."

  private let account: String
  private let timeout: Int

  init(_ fields: inout Fields) throws(FieldError) {
    account = try fields.account()
    timeout = try fields.providerTimeout()
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.telling(call, account) {
      let revocation = try await service.accounts.inTime(account, timeout, undone: "the provider did not take the account's tokens back") {
        try await service.accounts.revoke(account, cause: call.id?.json)
      }
      return Result(account: account, revocation: revocation)
    }
  }

  struct Result: Answer {
    static var sample: Result { Result(account: "", revocation: .sample) }

    var account: String
    var revocation: Revocation

    func list(_ members: inout Members) {
      members.add("account", account, "The account that was forgotten.")
      members.add("revoked", revocation.remote == .revoked, "Whether the provider took back all that it was told of.")
      revocation.list(&members)
      members.add(logoutUrl: revocation.logoutURL)
    }
  }
}

extension Revocation {
  /// The members that the answer and the event have in common.
  func list(_ members: inout Members) {
    members.add(
      "remote", remote, "What the provider did: revoked; partial: it took one token back and refused the other; unsupported: it took none.")
    members.add(
      optional: "remaining", remaining.isEmpty ? nil : remaining.map(\.rawValue),
      "With partial: accessToken or refreshToken, which the provider refused; whether it ended with the other is not known.")
    members.add(optional: "expiresAt", expiresAt, "When a remaining access token ends by itself, in Unix seconds.")
  }
}

/// Forgets the grant here; the provider hears nothing.
struct SignOut: TaskMethod {
  static let name = "signOut"
  static let summary = "Forgets the grant on this machine; the provider is told nothing."

  private let account: String

  init(_ fields: inout Fields) throws(FieldError) {
    account = try fields.account()
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.telling(call, account) {
      let (wasKnown, logoutURL) = try await service.accounts.signOut(account)
      return Result(account: account, wasKnown: wasKnown, logoutUrl: logoutURL)
    }
  }

  struct Result: Answer {
    static var sample: Result { Result(account: "", wasKnown: true, logoutUrl: "") }

    var account: String
    var wasKnown: Bool
    var logoutUrl: String?

    func list(_ members: inout Members) {
      members.add("account", account, "The account that was forgotten.")
      members.add("wasSignedIn", wasKnown, "Whether there was a grant to forget.")
      members.add(logoutUrl: logoutUrl)
    }
  }
}

extension Members {
  /// Forgetting tokens leaves the browser signed in at the provider; this page ends that as well.
  fileprivate mutating func add(logoutUrl url: String?) {
    add(
      optional: "logoutUrl", url,
      "The page that ends the provider's own session in the browser, if it has one. The process does not open it.")
  }
}
