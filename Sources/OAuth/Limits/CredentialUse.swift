import Jansson
import OAuthCore

/// One use of a credential, for the audit log.
package struct CredentialUse: Sendable {
  /// The request that carried the credential.
  package struct Request: Sendable {
    let request: HTTPRequest
    let hidden: Redaction
    /// The HTTP status, or why there is none.
    package let result: Result<Int, OAuthFailure>

    package var method: String { cut(request.method) }
    package var host: String { cut((try? URLParts(request.url))?.hostAndPort ?? "") }
    /// Without the query, which may hold a secret, and without the account's secrets.
    package var path: String { cut(hidden.hide(in: (try? URLParts(request.url))?.path ?? "")) }

    /// In bytes. A client chooses the paths, and a path of megabytes would fill the disk.
    private static let limit = 1024

    private func cut(_ text: String) -> String { text.utf8.count > Self.limit ? text.prefix(ofBytes: Self.limit) + "…" : text }
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
    // Without the request's body and functions. What it records is made only for a line of the audit file.
    let sent = HTTPRequest(method: request.method, url: request.url)
    self.init(account, use, request: Request(request: sent, hidden: hidden, result: result.map(\.status)))
  }
}
