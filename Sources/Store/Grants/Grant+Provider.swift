import Jansson
import OAuthCore
import Synchronization

extension Grant {
  /// Returns the grant plus hosts that the configuration or the request named after the sign-in; nil if there are none.
  ///
  /// Otherwise a host added after an error would take effect only after the next sign-in.
  package func withLaterHosts(of provider: Provider) -> Grant? {
    var better = self
    // A description without a publication names all its hosts itself.
    better.publishedLimit?.name(provider.publishedLimit?.namedHosts ?? PublishedLimit.hosts(in: provider.source))
    guard better.publishedLimit != publishedLimit else { return nil }
    better.generation += 1
    return better
  }

  /// The metadata from the URL that the provider was discovered from.
  package var publication: Publication? {
    guard let url = provider["discovery"]?.string, let description = published else { return nil }
    return Publication(url: url, description: description, scope: publishedLimit?.scope)
  }

  /// The provider as described when the grant was issued, filled with the account's values. Decoded once for each version of the grant.
  package var resolvedProvider: Provider {
    get throws(OAuthFailure) { try resolved.provider }
  }

  /// The same, and the hosts that may receive the token.
  package var resolved: DecodedDescription.Resolved {
    get throws(OAuthFailure) { try decoded.resolved { () throws(OAuthFailure) in .init(try decodedProvider()) } }
  }

  private func decodedProvider() throws(OAuthFailure) -> Provider {
    let described: Provider
    do {
      var provider = try Provider.decode(self.provider)
      provider.source = self.provider
      provider.name = providerName
      provider.reference = providerReference
      (provider.published, provider.publishedLimit) = (published, publishedLimit)
      described = provider
    } catch {
      throw OAuthFailure(.storageFailure, "the stored grant describes its provider wrongly: \(error.message)", account: account)
    }
    return try described.filled(with: attributes, client: client)
  }

  /// Returns this client with its stored secret or key; without them if `provider` would send them to a new origin.
  package func client(_ clientId: String, for provider: Provider) throws(OAuthFailure) -> Client {
    let own = try resolvedProvider
    var known = Client(id: clientId)
    if client.id == clientId, provider.sendsSecretsNowhereElse(than: own), provider.signsNothingElse(than: own, by: client) {
      known.stored = client.credentials
    }
    return known
  }

  /// Returns the page that ends the provider's browser session for this account; nil if the provider has none.
  package func logoutURL(_ provider: Provider) -> String? {
    let options = provider.logout
    guard let endpoint = options.endSessionEndpoint, Template(endpoint).names.isEmpty, let url = try? URLParts(endpoint) else { return nil }
    let values = ["clientId": client.id, "email": email, "subject": subject]
    var parameters: [(String, String)] = []
    for (name, text) in options.endSessionParameters.pairs {
      let missing = Template(text).names.filter { (values[$0] ?? nil)?.isEmpty ?? true }
      if missing.isEmpty { parameters.append((name, Template(text).filled { values[$0] ?? nil })) }
    }
    return parameters.isEmpty ? url.description : url.appendingQuery(parameters).description
  }

  /// The decoded form of one version of a grant's description.
  /// It is decoded at first use and shared by all copies of the grant, because every call needs it.
  ///
  /// All values compare as equal: decoding does not change a grant.
  package final class DecodedDescription: Sendable, Equatable {
    /// The description as its preset or file defines it now: the sources that it was made from, and what replaces the grant's own; nil if the
    /// grant's own is current.
    package typealias CurrentDescription = (sources: DescriptionSources, replacement: Replacement?)

    package struct Replacement: Sendable {
      var provider: JSON
      var published: [JSON.Member]?
      var publishedLimit: PublishedLimit?
      let decoded = DecodedDescription()

      package init(provider: JSON, published: [JSON.Member]?, publishedLimit: PublishedLimit?) {
        (self.provider, self.published, self.publishedLimit) = (provider, published, publishedLimit)
      }
    }

    /// A class, because a copy of a description costs more than a request's other work.
    package final class Resolved: Sendable {
      package let provider: Provider
      package let hosts: AllowedHosts
      /// The API's base; nil without one, or if it lacks a value.
      package let base: URLParts?

      package init(_ provider: Provider) {
        (self.provider, hosts) = (provider, AllowedHosts(provider))
        base = provider.api.apiBase.flatMap { Template($0).names.isEmpty ? try? URLParts($0) : nil }
      }
    }

    private let state = Mutex<(resolved: Resolved?, current: CurrentDescription?)>((nil, nil))

    package static func == (one: DecodedDescription, other: DecodedDescription) -> Bool { true }

    func resolved(_ decode: () throws(OAuthFailure) -> Resolved) throws(OAuthFailure) -> Resolved {
      if let cached = state.withLock({ $0.resolved }) { return cached }
      let decoded = try decode()
      state.withLock { $0.resolved = decoded }
      return decoded
    }

    /// The last result, unless one of its sources has changed.
    package func current(_ isUnchanged: (DescriptionSources) -> Bool) -> CurrentDescription? {
      guard let cached = state.withLock({ $0.current }), isUnchanged(cached.sources) else { return nil }
      return cached
    }

    package func cache(_ found: CurrentDescription) { state.withLock { $0.current = found } }
  }
}

/// The inputs of a provider's description other than its reference. While they are equal, the description is unchanged.
package struct DescriptionSources: Sendable {
  /// The stamps of the user's provider files, by path; nil for a file that does not exist.
  package let files: [String: FileStamp?]
  package let discoveries: ObjectIdentifier?
  package let revision: Int

  package init(files: [String: FileStamp?], discoveries: ObjectIdentifier?, revision: Int) {
    (self.files, self.discoveries, self.revision) = (files, discoveries, revision)
  }
}

extension Grant {
  /// The token that is exchanged for a new access token: the refresh token, or the access token itself if the provider works that way.
  package var exchangeable: Secret? { isSelfRenewing ? accessToken : refreshToken }

  /// Reads the undecoded description, because this is needed for every account of a listing.
  private var isSelfRenewing: Bool { provider["refreshStyle"] == "accessToken" }

  /// Whether the grant has anything that gets a new access token.
  package var isRenewable: Bool { exchangeable != nil || sessionHandle != nil || isForClient }

  /// Whether the token is the client's own. The client gets another one on every request (RFC 6749, 4.4).
  package var isForClient: Bool { clientParameters != nil }

  /// Marks the grant: the user has to sign in again. `reason` must contain no secret.
  package mutating func end(_ reason: String, demanding claims: String? = nil, at now: Int) {
    (isRejected, doubtedAt) = (true, nil)
    rejection = Rejection(at: now, reason: reason, claims: claims)
  }

  /// The failure of each use of a marked grant.
  package func ended(advice: OAuthFailure.Advice = .signIn) -> OAuthFailure {
    var failure = endedWithoutClaims(advice: advice)
    if let claims = rejection?.claims { failure.details.append(.init("claims", .string(claims))) }
    return failure
  }

  private func endedWithoutClaims(advice: OAuthFailure.Advice) -> OAuthFailure {
    guard isRenewable, !isForClient else { return .signInRequired(.expired, account: account, why: rejection?.reason, advice: advice) }
    if isClientForgotten { return .signInRequired(.clientRejected, account: account, advice: advice) }
    let isFirst = isUntried && rejection != nil
    let why = rejection.map { "\(isFirst ? OAuthFailure.firstRefresh : Problem.refreshTokenRejected.rawValue): \($0.reason)" }
    return .signInRequired(.refreshRefused, account: account, why: why, advice: isFirst ? .signInAgain : advice)
  }

  /// Whether a refresh may return a new token. The announced expiry of a refresh token does not matter here.
  /// Providers extend it, clocks are wrong, and asking costs one request. An access token that is exchanged for the next one must be valid.
  package func canRefresh(at now: Int) -> Bool {
    guard isRenewable, !isRejected else { return false }
    return !isSelfRenewing || isForClient || expiresAt.map { $0 > now } ?? true
  }

  /// Whether the announced expiry of the exchanged token has passed.
  package func isPastRefreshing(at now: Int) -> Bool { refreshTokenExpiresAt.map { $0 <= now } ?? false }

  /// Whether a still valid access token must be renewed. It may need to be exchanged for a long-lived one.
  /// Or the description says that it is time, because the token cannot be renewed after its expiry.
  /// Never before half its lifetime, or a new token could be due at once.
  package func isDue(at now: Instant) -> Bool {
    guard isValid(for: .seconds(0), at: now), canRefresh(at: now.seconds) else { return false }
    if isShortLived { return true }
    guard case .integer(let seconds)? = provider["renewWithin"] else { return false }
    return !isValid(for: .seconds(seconds), at: now)
  }

  /// Whether the ID token expires soon and a refresh may bring another.
  ///
  /// Some providers return no ID token on refresh. The old one's expiry is then ignored, or every call would refresh.
  package func wantsIDToken(for validity: Validity = .use, at now: Int) -> Bool {
    guard let idTokenExpiresAt, canRefresh(at: now) else { return false }
    return (idTokenExpiresAt - now) * 1000 <= validity.margin(of: max(0, idTokenExpiresAt - issuedAt) * 1000)
  }

  /// Returns the ID token if it is still valid. An access token usually ends at another time. If the clock was ahead, the stored end is the later one.
  package func validIDToken(at now: Int) -> Secret? {
    guard let idToken else { return nil }
    return idTokenEnd.map { max($0, idTokenExpiresAt ?? 0) > now } ?? true ? idToken : nil
  }

  /// When the ID token ends, in Unix seconds, as its own claim `exp` says (RFC 7519, 4.1.4); nil if it has none that can be read.
  package var idTokenEnd: Int? {
    let parts = idToken?.value.split(separator: ".", omittingEmptySubsequences: false) ?? []
    guard parts.count == 3, let claims = try? Base64.decodeURL(String(parts[1])) else { return nil }
    return TokenExpiry.instant((try? JSON.parse(claims))?["exp"])
  }
}

/// Compares a grant with an earlier copy of it.
extension Grant {
  /// Whether this grant is unchanged since it was `other`. Generation numbers are not enough: they begin at 1 again after a sign-out.
  package func isSame(as other: Grant) -> Bool {
    generation == other.generation && accessToken == other.accessToken && refreshToken == other.refreshToken
      && sessionHandle == other.sessionHandle
  }

  /// Whether this grant came from `other` by refreshes alone.
  package func descends(from other: Grant) -> Bool {
    if let login, let earlier = other.login, login != earlier { return false }
    return generation > other.generation
  }
}
