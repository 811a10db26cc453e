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
      Result(account: account, revoked: try await service.accounts.revoke(account, cause: call.id?.json))
    }
  }

  struct Result: Answer {
    enum Remote: String, FieldWord { case revoked, unsupported }

    static var sample: Result { Result(account: "", revoked: true) }

    var account: String
    var revoked: Bool

    func list(_ members: inout Members) {
      members.add("account", account, "The account that was forgotten.")
      members.add("revoked", revoked, "Whether the provider took the tokens back.")
      members.add("remote", revoked ? Remote.revoked : .unsupported, "What the provider did.")
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
      Result(account: account, wasKnown: try await service.accounts.signOut(account))
    }
  }

  struct Result: Answer {
    static var sample: Result { Result(account: "", wasKnown: true) }

    var account: String
    var wasKnown: Bool

    func list(_ members: inout Members) {
      members.add("account", account, "The account that was forgotten.")
      members.add("wasSignedIn", wasKnown, "Whether there was a grant to forget.")
    }
  }
}
