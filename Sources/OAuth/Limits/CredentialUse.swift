import OAuthCore

/// One use of a credential, for the audit log.
package struct CredentialUse: Sendable {
  /// The request that carried the credential.
  package struct Request: Sendable {
    package let method: String
    package let host: String
    /// Without the query, which may hold a secret.
    package let path: String
    /// The HTTP status, or why there is none.
    package let result: Result<Int, OAuthFailure>
  }

  package let account: String
  /// The method that returned a credential to the client or called the service, or `token`, `revoke`, `introspect`, `signIn`, `lookup`.
  package let use: String
  /// nil if the credential was returned to the client.
  package let request: Request?

  package init(_ account: String, _ use: String, request: Request? = nil) {
    (self.account, self.use, self.request) = (account, use, request)
  }

  init(_ account: String, _ use: String, _ request: HTTPRequest, _ result: Result<HTTPResponse, OAuthFailure>) {
    let url = try? URLParts(request.url)
    self.init(
      account, use,
      request: Request(method: request.method, host: url?.hostAndPort ?? "", path: url?.path ?? "", result: result.map(\.status)))
  }
}
