import Jansson
import OAuthCore
import Store

extension AuthorizationPlan {
  /// The request's options, completed from the configuration and the stored grant.
  struct Request: Sendable {
    var flow = AuthorizationInput.Flow.auto
    var interaction = AuthorizationInput.Interaction.ifNeeded
    /// Whether a user asks to sign in, also with a grant that may have ended.
    var isUserRequest = false
    var redirectUri: String?
    /// Where the configuration has the process wait for the redirect.
    var listen: LoopbackAddress?
    /// Whether the caller names the redirect URI, and so expects a redirect.
    var namesRedirect = false
    var opensBrowser = true
    /// The command of the account's own browser.
    var browser: [String]?
    var waits = true
    /// Seconds after which a sign-in ends.
    var timeout = ConfiguredAccount.usualTimeout
    /// Whether the sign-in lies in the store, so that another process can go on with it.
    var outlives = false
    var parameters = NamedValues<String>()
    /// What a flow without a user sends beside the parameters, and where the configuration has the tokens for it.
    var clientRequest = ClientRequest()
    var sources = ClientSources()
    var demandedClaims: String?
    /// Whether scopes are added to a grant. Declined scopes are then requested again, and only the grant's own user may approve.
    var addsScopes = false
    var requestID: JSON?
  }
}
