import Jansson
import OAuthCore

/// One use of a credential, for the audit log.
package struct CredentialUse: Sendable {
  /// The request that carried the credential.
  package struct Request: Sendable {
    package let method: String
    package let host: String
    /// Without the query, which may hold a secret, and without the account's secrets.
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

  init(
    _ account: String, _ use: String, _ request: HTTPRequest, _ result: Result<HTTPResponse, OAuthFailure>, hiding hidden: Redaction
  ) {
    let url = try? URLParts(request.url)
    self.init(
      account, use,
      request: Request(
        method: Self.cut(request.method), host: Self.cut(url?.hostAndPort ?? ""), path: Self.cut(hidden.hide(in: url?.path ?? "")),
        result: result.map(\.status)))
  }

  /// In bytes. A client chooses the paths, and a path of megabytes would fill the disk.
  private static let limit = 1024

  private static func cut(_ text: String) -> String { text.utf8.count > limit ? text.prefix(ofBytes: limit) + "…" : text }
}
