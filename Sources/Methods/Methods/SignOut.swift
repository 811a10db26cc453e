import JSONRPC
import Jansson

/// Deletes the grant here without any request to the provider.
struct SignOut: Method {
  static let name = "signOut"
  static let errors = Errors.stored

  private let account: String

  init(_ fields: inout ObjectReader) throws(FieldError) { account = try fields.account() }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.reportingFailure(call, account) {
      let tokens = try service.accounts.tokens(of: account)
      if tokens.terms != nil { return Result(account: account, wasSignedIn: try await tokens.forget(), logoutUrl: nil) }
      let (wasSignedIn, logoutURL) = try await tokens.login.signOut()
      return Result(account: account, wasSignedIn: wasSignedIn, logoutUrl: logoutURL)
    }
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result { Result(account: "", wasSignedIn: true, logoutUrl: "") }

    var account: String
    var wasSignedIn: Bool
    var logoutUrl: String?

    func list(_ members: inout ObjectWriter) {
      members.add("account", account, "The account's name.")
      members.add("wasSignedIn", wasSignedIn, "Whether the account had a grant.")
      members.add(logoutUrl: logoutUrl)
    }
  }
}
