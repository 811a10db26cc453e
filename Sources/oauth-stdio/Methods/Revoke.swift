import JSONRPC
import Jansson
import OAuth

/// Has the provider take the tokens back, then forgets them.
struct Revoke: TaskMethod {
  static let name = "revoke"
  static let summary = "Has the provider take the tokens back, then forgets the grant."

  private let account: String

  init(_ fields: inout Fields) throws(FieldError) {
    account = try fields.account()
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.telling(call, account) {
      let (isRevoked, logoutURL) = try await service.accounts.revoke(account, cause: call.id?.json)
      return Result(account: account, revoked: isRevoked, logoutUrl: logoutURL)
    }
  }

  struct Result: Answer {
    enum Remote: String, FieldWord { case revoked, unsupported }

    static var sample: Result { Result(account: "", revoked: true, logoutUrl: "") }

    var account: String
    var revoked: Bool
    var logoutUrl: String?

    func list(_ members: inout Members) {
      members.add("account", account, "The account that was forgotten.")
      members.add("revoked", revoked, "Whether the provider took the tokens back.")
      members.add("remote", revoked ? Remote.revoked : .unsupported, "What the provider did.")
      members.add(logoutUrl: logoutUrl)
    }
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
    add(optional: "logoutUrl", url, "The page that ends the provider's own session in the browser, where it has one; nobody has opened it.")
  }
}
