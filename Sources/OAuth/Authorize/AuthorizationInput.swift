import Jansson
import OAuthCore

/// The parameters of an `authorize` request, completed with the account's configuration.
package struct AuthorizationInput: Sendable {
  /// How the user or the client signs in.
  package enum Flow: String, StringEnum {
    case auto, browser, device, clientCredentials

    package var documentation: String {
      switch self {
      case .auto:
        "The process chooses the browser. It chooses the device flow if the provider has one, there is no browser, and the client neither opens the "
          + "page nor sets `redirectUri`. An account with a client-credentials token keeps that flow."
      case .browser: "The user signs in on a page that redirects to this process or to the client."
      case .device: "The user types a code on a page of any device (RFC 8628)."
      case .clientCredentials: "The client gets a token for itself (RFC 6749, 4.4)."
      }
    }
  }

  /// Whether a page may be opened.
  package enum Interaction: String, StringEnum {
    case ifNeeded, never, always

    package var documentation: String {
      switch self {
      case .ifNeeded: "The process asks the user if there is no usable grant."
      case .never: "The process never asks the user."
      case .always: "The process always asks the user, who may be another user than before."
      }
    }
  }

  package var account: String?
  package var provider: ProviderReference?
  package var clientId: String?
  package var clientSecret: Secret?
  /// The private key, if the provider's description has none.
  package var privateKey: Secret?
  package var scopes: [String]?
  package var flow = Flow.auto
  package var redirectUri: String?
  package var opensBrowser = true
  package var interaction = Interaction.ifNeeded
  package var waits = true
  /// Seconds after which a sign-in ends.
  package var timeout = 300
  package var parameters = NamedValues<String>()
  /// Values for {names} in the provider's description.
  package var variables = NamedValues<String>()
  /// Whether scopes are added to a grant. Declined scopes are then requested again, and only the grant's own user may approve.
  package var addsScopes = false
  /// The id of the request.
  package var requestID: JSON?

  package init() {}
}

extension Grant {
  /// The redirect URI that is registered for the client. A grant of an earlier version does not say which one its caller named.
  /// For such a grant, a loopback address counts if the provider requires a registered port.
  func redirectUriToReuse(_ provider: Provider) -> String? {
    if let pinnedRedirectUri { return pinnedRedirectUri }
    guard let redirectUri, provider.redirect.redirectPolicy == .pinnedPort, provider.redirect.redirectPorts.isEmpty else { return nil }
    return redirectUri
  }

  func isOf(_ provider: Provider) -> Bool {
    guard let own = try? Provider.decode(self.provider) else { return false }
    return own.isSame(as: provider)
  }
}

extension Provider {
  /// Whether a grant of one provider is also a grant of the other.
  package func isSame(as other: Provider) -> Bool {
    protocolName == other.protocolName && authorizationEndpoint == other.authorizationEndpoint
      && tokenEndpoint == other.tokenEndpoint && oauth1.accessTokenEndpoint == other.oauth1.accessTokenEndpoint
      // A token for one resource is invalid for another resource of the same server (RFC 8707).
      && request.authorizationParameters["resource"] == other.request.authorizationParameters["resource"]
      && openid.openidEndpoint == other.openid.openidEndpoint && openid.openidIdentifier == other.openid.openidIdentifier
  }
}
