import Jansson
import OAuthCore
import Plans
import Store

/// What another process needs to go on with a sign-in whose process was ended: the same page, the same client and the same redirect URI.
struct OpenSignIn: Sendable {
  /// Bytes from which the state, the verifier and the nonce are made.
  static let seedLength = 64

  let seed: [UInt8]
  let dpopKey: Secret?
  let redirectUri: String
  let client: Client
  let authentication: TokenOptions.ClientAuthentication?
  /// Unix seconds.
  let endsAt: Int
  /// What the page asks for. A plan for something else needs a page of its own.
  let subject: String

  /// `plan` has the registered client.
  init(_ plan: AuthorizationPlan, redirectUri: String, at now: Int) {
    (seed, dpopKey, client, self.redirectUri) = (plan.seed, plan.dpopKey, plan.client, redirectUri)
    authentication = plan.provider.token.clientAuthentication
    (endsAt, subject) = (now + plan.request.timeout, Self.subject(plan))
  }

  private static func subject(_ plan: AuthorizationPlan) -> String {
    let provider = plan.provider
    let parts = [provider.issuer, provider.authorizationEndpoint, provider.tokenEndpoint, plan.resource].map { $0 ?? "" } + plan.scopes
    return parts.joined(separator: "\n")
  }

  /// Returns nil for a record without an open sign-in, or of another version.
  init?(_ json: JSON) {
    guard let seed = json["seed"]?.string.flatMap({ try? Base64.decode($0) }),
      seed.count == Self.seedLength, let redirectUri = json["redirectUri"]?.string, let id = json["clientId"]?.string,
      let endsAt = json["endsAt"]?.integer, let subject = json["subject"]?.string
    else { return nil }
    dpopKey = json["dpopKey"]?.string.map(Secret.init)
    (self.seed, self.redirectUri, self.endsAt, self.subject) = (seed, redirectUri, endsAt, subject)
    client = Client(id: id, secret: json["clientSecret"]?.string.map(Secret.init))
    authentication = json["clientAuthentication"]?.string.flatMap(TokenOptions.ClientAuthentication.init)
  }

  /// A configured secret stays where it is.
  var json: JSON {
    [
      "seed": .string(Base64.encode(seed)), "dpopKey": (dpopKey?.value).map(JSON.string), "redirectUri": .string(redirectUri),
      "clientId": .string(client.id), "clientSecret": (client.stored.secret?.value).map(JSON.string),
      "clientAuthentication": (authentication?.rawValue).map(JSON.string), "subject": .string(subject), "endsAt": .integer(endsAt),
    ]
  }

  /// Whether a sign-in by the plan may go on with this one.
  func isFor(_ plan: AuthorizationPlan) -> Bool {
    plan.outlives && subject == Self.subject(plan) && (plan.registersClient || plan.client.id == client.id)
  }
}

extension AuthorizationPlan {
  /// Whether another process can go on with the sign-in.
  var outlives: Bool { request.outlives && provider.protocolName == .oauth2 && !usesDevice }

  /// Bytes of a page's state.
  static let stateLength = 16

  /// The state of the page that the seed makes; nil without a seed. The user may reload a page of an ended process while this one prepares to go on
  /// with it.
  var seededState: Secret? { seed.isEmpty ? nil : Secret(Base64.encodeURL(Array(seed.prefix(Self.stateLength)))) }

  /// Returns the plan that goes on with an open sign-in. Its page is open in a browser already.
  func goingOn(with open: OpenSignIn, at now: Int) -> AuthorizationPlan {
    var plan = self
    (plan.seed, plan.dpopKey) = (open.seed, open.dpopKey)
    (plan.request.redirectUri, plan.request.opensBrowser) = (open.redirectUri, false)
    plan.request.timeout = min(request.timeout, open.endsAt - now)
    guard registersClient else { return plan }
    plan.client = open.client
    return open.authentication.map(plan.authenticating) ?? plan
  }
}
