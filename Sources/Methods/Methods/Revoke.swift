import JSONRPC
import Jansson
import OAuth

/// Revokes the tokens at the provider, then deletes them here.
struct Revoke: Method {
  static let name = "revoke"
  static let errors = Errors.token

  private let account: String
  private let timeout: Int

  init(_ fields: inout ObjectReader) throws(FieldError) {
    account = try fields.account()
    timeout = try fields.providerTimeout()
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.reportingFailure(call, account, within: timeout) {
      let revocation = try await service.accounts.withinTimeout(
        account, timeout, undone: "the login stays, and signOut deletes it here alone: the provider did not revoke its tokens"
      ) {
        try await service.accounts.tokens(of: account).revoke(requestID: call.id?.json)
      }
      return Result(account: account, revocation: revocation)
    }
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result { Result(account: "", revocation: .sample) }

    var account: String
    var revocation: Revocation

    func list(_ members: inout ObjectWriter) {
      members.add("account", account, "The account's name.")
      members.add("revoked", revocation.remote == .revoked, "Whether the provider revoked all tokens that it received.")
      revocation.list(&members)
      members.add(logoutUrl: revocation.logoutURL)
    }
  }
}

extension Revocation {
  /// Adds the members that the answer and the event share.
  func list(_ members: inout ObjectWriter) {
    members.add("remote", remote, "The provider's reaction.")
    members.add(
      optional: "remaining", remaining.isEmpty ? nil : remaining,
      "The tokens that the provider rejected while it revoked another. They may have ended with that one.")
    members.add(optional: "expiresAt", expiresAt, "When a remaining access token expires, in Unix seconds.")
  }
}

extension ObjectWriter {
  /// Adds the logout page. Deleting the tokens leaves the browser signed in at the provider, and this page ends that session.
  mutating func add(logoutUrl url: String?) {
    add(optional: "logoutUrl", url, "The page that ends the provider's session in the browser. The process does not open it.")
  }
}
