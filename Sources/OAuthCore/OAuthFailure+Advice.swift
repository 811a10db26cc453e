extension OAuthFailure {
  /// What to do about a failure. The wire names methods and params; a command line names commands and options.
  package enum Advice: Sendable, Equatable {
    case signIn
    /// For a caller of `authorize` that allows no question.
    case ask
    /// A sign-in may not help, so only a request for it opens the page.
    case signInAgain
    /// The service takes only tokens that are bound to a key.
    case bindTokens
    /// The service may take another scheme than the token's type.
    case tokenType(String)
    /// The limits forbid the client to sign in. The account is a word for a shell.
    case userSignsIn(account: String)
    /// Another host must be named in the provider's description.
    case apiHosts
    case stepUp
    /// The provider's loopback URI, if its description has one.
    case registeredPort(String?)
    case httpsRedirect
    /// A file is only replaced if the caller says so.
    case overwrite
    /// The caller can allow a larger response, which a form other than a stream or a file may not.
    case largerLimit(isLarge: Bool)
    /// Another user signed in than the account's.
    case anotherUser
    /// A new sign-in with this scope brings an ID token.
    case openid
    /// A sign-in was not finished.
    case diagnose
    /// The provider rejects a client that registered itself.
    case registersAgain
    /// What the user can do about a server that cannot be reached. A client shows the problem alone.
    case network(String)
  }

  /// What the user can do if a server cannot be reached.
  package var networkAdvice: String? {
    if case .network(let text)? = advice { return text }
    return kind == .timedOut ? "check the address or the proxy, and try again later" : nil
  }

  /// The problem and the advice, as the wire says them.
  package var message: String {
    get { message(program: "oauth-stdio") }
    set { (problem, advice) = (newValue, nil) }
  }

  /// `program` is the one that the user can sign in with.
  package func message(program: String) -> String {
    switch advice {
    case nil, .network: problem
    case .signIn: "\(problem); call authorize"
    case .ask: "\(problem); call authorize with an interaction other than \"never\""
    case .signInAgain: "\(problem); to sign in again, call authorize with interaction \"always\""
    case .bindTokens: "\(problem), as it takes only tokens that are bound to a key: set dpop to true in the configuration, or in authorize"
    case .tokenType(let type):
      "\(problem) to the scheme \(type), which is the token's type: if it wants another, such as Bearer, set tokenType in the provider's description"
    case .userSignsIn(let account): "\(problem)\(kind == .notAllowed ? ":" : ";") the user can sign in with: \(program) login \(account)"
    case .apiHosts: "\(problem); apiHosts in the provider's description names them"
    case .stepUp: "\(problem): callAPI with stepUp asks the user"
    case .registeredPort(let uri): "\(problem): register \(uri ?? "one") with a port of your choice, and give it as redirectUri"
    case .overwrite: "\(problem); overwrite:true replaces it"
    case .largerLimit(let isLarge): "\(problem): raise maxBytes\(isLarge ? "" : ", or use saveTo or stream")"
    case .anotherUser: "\(problem): sign in as that user, use another account name, or replace the user with interaction \"always\""
    case .openid: "\(problem); call authorize with the scope openid"
    case .diagnose: "\(problem); diagnose looks for the reason"
    case .registersAgain: "\(problem): it rejects the client that this program registered, and the next sign-in registers another"
    case .httpsRedirect:
      "\(problem): register an https URI that your application receives, give it as redirectUri, and pass the received address to handleRedirect"
    }
  }
}
