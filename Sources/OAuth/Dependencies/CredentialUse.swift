import OAuthCore

/// One use of a credential, for the audit file.
struct CredentialUse: Sendable {
  /// The request that carries the credential.
  struct Request: Sendable {
    /// The same in both lines of the request, and in no other.
    let id: String
    let method: String
    let host: String
    /// Without the query, which may hold a secret, and without the account's secrets.
    let path: String
  }

  let account: String
  /// The method that returns a credential to the client or calls the service, or `token`, `revoke`, `introspect`, `signIn`, `lookup`.
  let use: String
  /// nil if the credential is returned to the client.
  let request: Request?
  /// The HTTP status, or why there is none; nil before the answer.
  var result: Result<Int, OAuthFailure>?

  init(_ account: String, _ use: String, _ request: HTTPRequest? = nil, id: String = "", hiding hidden: Redaction = .none) {
    (self.account, self.use) = (account, use)
    self.request = request.map { request in
      let url = try? URLParts(request.url)
      return Request(
        id: id, method: Self.cut(request.method), host: Self.cut(url?.hostAndPort ?? ""), path: Self.cut(hidden.hide(in: url?.path ?? "")))
    }
  }

  /// In bytes. A client chooses the paths, and a path of megabytes would fill the disk.
  private static let limit = 1024

  private static func cut(_ text: String) -> String { text.utf8.count > limit ? text.prefix(ofBytes: limit) + "…" : text }
}
