/// What an authorization server's refusal of a refresh says about the login, by its status and error alone.
package enum Refusal: Sendable, Equatable {
  /// The server has ended the login. The grant gets a mark, because the user has to sign in again.
  case login
  /// The server does not accept the client. That ends the login of a client that registered itself; any other one can be corrected.
  case client

  /// The texts that frameworks have as `error` of their own pages.
  private static let phrases = [400: "Bad Request", 401: "Unauthorized", 403: "Forbidden"]

  /// Returns nil if the response says nothing about the login, as a page of a proxy or an empty body. `error` is an OAuth error (RFC 6749, 5.2).
  package init?(status: Int, error: String?) {
    let known = error.flatMap(ServerError.init)
    // Some servers send their errors with status 200.
    if status == 200, known == .invalidGrant {
      self = .login
      return
    }
    guard let phrase = Self.phrases[status], let error, error != phrase else { return nil }
    // These are about the server or the request.
    if let known, known.isTransient || known.demandsProof { return nil }
    self = known == .invalidClient ? .client : .login
  }
}
