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
    /// The login may lack the scopes or the consent for another token.
    case moreScopes
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
  package func message(program: String) -> String { problem + (advice?.texts(program, kind).wire ?? "") }

  /// The problem and the advice, as a command says them; nil if that needs more than the failure.
  package func commandMessage(program: String) -> String? { advice?.texts(program, kind).command.map { (problem + $0).plain } }
}

extension OAuthFailure.Advice {
  /// What follows the problem for a client of the wire, and for the user of a command; nil if the command says it in another way.
  fileprivate func texts(_ program: String, _ kind: OAuthFailure.Kind) -> (wire: String, command: String?) {
    switch self {
    case .network: ("", nil)
    case .signIn: ("; call authorize", nil)
    case .ask: ("; call authorize with an interaction other than \"never\"", nil)
    case .signInAgain: ("; to sign in again, call authorize with interaction \"always\"", nil)
    case .bindTokens:
      (", as it takes only tokens that are bound to a key: set dpop to true in the configuration, or in authorize", nil)
    case .tokenType(let type):
      (
        " to the scheme \(type), which is the token's type: if it wants another, such as Bearer, set tokenType in the provider's description",
        nil
      )
    case .userSignsIn(let account): ("\(kind == .notAllowed ? ":" : ";") the user can sign in with: \(program) login \(account)", nil)
    case .apiHosts: ("; apiHosts in the provider's description names them", nil)
    case .stepUp: (": callAPI with stepUp asks the user", nil)
    case .openid: ("; call authorize with the scope openid", nil)
    case .moreScopes: ("; call addScopes with what is missing", nil)
    case .diagnose: ("; diagnose looks for the reason", nil)
    case .registersAgain: (": it rejects the client that this program registered, and the next sign-in registers another", nil)
    case .overwrite: ("; overwrite:true replaces it", "; --overwrite replaces it")
    case .largerLimit(let isLarge):
      (": raise maxBytes\(isLarge ? "" : ", or use saveTo or stream")", ": raise --maxBytes, or use --saveTo FILE")
    case .anotherUser:
      (
        ": sign in as that user, use another account name, or replace the user with interaction \"always\"",
        ": sign in as that user, use another --account NAME, or replace the user with --interaction always"
      )
    case .registeredPort(let uri):
      (
        ": register \(uri ?? "one") with a port of your choice, and give it as redirectUri",
        ": register \(uri ?? "one") with a port of your choice, and add --redirectUri \(uri ?? "URI")"
      )
    case .httpsRedirect:
      (
        ": register an https URI that your application receives, give it as redirectUri, and pass the received address to handleRedirect",
        ": register an https URI that your application receives, add --redirectUri URI, and paste the received address into "
          + "\(program) login, which asks for it in a terminal"
      )
    }
  }
}
