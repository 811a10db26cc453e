import HTTP
import OAuthCore
import Platform
import Signatures
import Store

/// Validates an ID token: the signature with the issuer's keys, then the claims.
///
/// Without a `jwksUri` in the provider's description, the signature is not checked: the token came directly from the token endpoint.
/// TLS authenticates that server, which OpenID Connect Core (3.1.3.7, 6) accepts instead of the signature.
/// The claims are still checked, and an unsigned token is rejected.
/// The same applies if the description names the issuer without a `jwksUri`, because the issuer's metadata is not discovered here.
package struct IDTokenValidation: Sendable {
  let provider: Provider
  let client: Client
  let keys: IssuerKeys

  /// Fetches the keys before a code or refresh token is used. Otherwise a user could sign in for tokens that cannot be validated.
  func prepare() async throws { if let place { _ = try await keys.keys(at: place) } }

  private var place: IssuerKeys.Place? { provider.jwksUri.map { IssuerKeys.Place(uri: $0, limit: provider.scopeLimit(of: $0)) } }

  /// Returns the validated claims. Throws `responseUntrusted` with the fault, or the reason why the issuer's keys are unavailable.
  func validated(_ token: Secret, nonce: Secret?, accessToken: Secret?, at time: IssueTime) async throws -> IDToken {
    let signature = try JSONWebSignature(token)
    let claims = try IDToken(claims: signature.payload)
    if let name = signature.algorithm?.rawValue, provider.idTokenAlgorithms.contains(where: { $0.rawValue == name }) {
      guard let secret = client.secret, !secret.value.isEmpty, signature.isMade(bySecret: secret) else {
        throw OAuthFailure.untrusted("the ID token is signed with \(name), and not with this client's secret")
      }
    } else if let place {
      try await keys.verify(signature, issuer: claims.issuer, tenant: claims.tenant, keysAt: place)
    }
    let (issuer, now) = (provider.issuer.map(IssuerTemplate.init), time.dated.seconds)
    let check = IDTokenCheck(issuer: issuer, clientId: client.id, nonce: nonce, accessToken: accessToken, now: now)
    do throws(OAuthFailure) { try check.pass(claims, of: signature) } catch { throw error.advisingIssuer(of: provider) }
    return claims
  }
}

extension IDTokenValidation {
  /// The ID token of a refresh response, and the claims that it has to match (OpenID Connect Core, 12.2).
  struct Refreshed: Sendable {
    let old: Grant
    let tokens: TokenRequest.Response?
    let dependencies: Dependencies

    /// The failure for a refresh response whose ID token names another user. Its access token would call the API as that user.
    ///
    /// The signature does not matter here, because the token endpoint itself sent the ID token.
    var foreignUser: OAuthFailure? {
      guard let first = old.userClaims, let token = tokens?.idToken, let claims = try? IDToken(claims: JSONWebSignature(token).payload),
        claims.subject != first.subject
      else { return nil }
      return .untrusted("the refreshed tokens belong to a user other than the account's")
    }

    /// Returns the refreshed grant with the new ID token; nil if the response has none. Throws if the ID token is invalid.
    func apply(to fresh: Grant) async throws -> Grant? {
      guard let tokens, let token = tokens.idToken else { return nil }
      let validation = IDTokenValidation(provider: try old.resolvedProvider, client: old.client, keys: dependencies.servers.keys)
      let claims = try await validation.validated(token, nonce: nil, accessToken: fresh.accessToken, at: tokens.issued)
      if let first = old.userClaims { try IDTokenCheck.pass(claims, refreshing: first) }
      var identified = fresh
      identified.take(token, claims, tokens.issued)
      identified.generation += 1
      return identified
    }
  }
}

extension IDTokenValidation {
  /// Fetches issuers' public keys when an ID token must be verified. Caches them for an hour.
  package actor IssuerKeys {
    /// Where keys are, and the scope limit for fetching them. Keys fetched under one limit are not reused under another.
    package struct Place: Sendable, Hashable {
      var uri: String
      var limit: NetworkScope
      package var name: String { "\(limit.rawValue) \(uri)" }

      package init(uri: String, limit: NetworkScope) { (self.uri, self.limit) = (uri, limit) }
    }

    private let http: any HTTPClient
    private let clock: Clock
    /// The keys, and until when they count, in Unix seconds.
    private var cache: [Place: (keys: JSONWebKeySet, until: Int)] = [:]
    nonisolated let fetches = SingleFlight<JSONWebKeySet>()

    package init(http: any HTTPClient, clock: Clock) {
      self.http = http
      self.clock = clock
    }

    /// Returns the keys published at `place`. Throws a network failure such as `networkFailure` if they cannot be fetched, because nothing is trusted
    /// without them. Throws `responseUntrusted` if the response is not a key set.
    func keys(at place: Place) async throws -> JSONWebKeySet {
      if let cached = cache[place], cached.until > clock.now { return cached.keys }
      return try await fetch(place)
    }

    /// Throws `responseUntrusted` unless one of the keys at `place` made the signature. `issuer` and `tenant` are the token's claims.
    package func verify(_ signature: JSONWebSignature, issuer: String?, tenant: String?, keysAt place: Place) async throws {
      guard signature.algorithm?.needsSecret == false else {
        throw OAuthFailure.untrusted("the ID token is signed with an algorithm, such as HS256, that cannot be verified")
      }
      func verifies(_ keys: JSONWebKeySet) -> Bool {
        keys.candidates(for: signature).contains { key in
          // A key that names its issuer is valid for that issuer only, even if the set serves several issuers.
          if let own = key.issuer, !IssuerTemplate(own).names(issuer ?? "", tenant: tenant) { return false }
          return signature.isMade(by: key)
        }
      }
      let keys = try await keys(at: place)
      if verifies(keys) { return }
      guard keys.mayBeOutdated(for: signature) else { throw OAuthFailure.untrusted("the ID token's signature is invalid") }
      guard verifies(try await fetch(place)) else {
        throw OAuthFailure.untrusted("the ID token is signed with a key that its issuer does not publish")
      }
    }

    /// Fetches the keys of a place, one fetch at a time.
    private func fetch(_ place: Place) async throws -> JSONWebKeySet {
      try await fetches.value(place.name) { [self] in
        let response = try await ask(place)
        let keys = try JSONWebKeySet(response.trimmedBody)
        await remember(keys, of: place)
        return keys
      }
    }

    private func remember(_ keys: JSONWebKeySet, of place: Place) {
      cache[place] = (keys, clock.now + CacheLifetime.usual)
    }

    private nonisolated func ask(_ place: Place) async throws -> HTTPResponse {
      var request = HTTPRequest(method: "GET", url: place.uri, headers: [HTTPHeader("Accept", "application/json")])
      // Short, because the user is waiting.
      request.timeout = 10
      // A hundred keys with their certificate chains are smaller.
      request.maxBytes = 1 << 20
      request.scopeLimit = place.limit
      let response: HTTPResponse
      do {
        response = try await http.exchange(request)
      } catch var failure as OAuthFailure {
        failure.problem = "the issuer's keys could not be fetched: \(failure.problem)"
        throw failure
      }
      guard response.status == 200 else {
        throw OAuthFailure(
          .authorizationServerError, "the issuer's keys could not be fetched: the response had status \(response.status)",
          details: [.init("httpStatus", .integer(response.status)), response.redirectTarget(hiding: .none)].compactMap(\.self),
          isRetryable: response.status == 429 || response.status >= 500)
      }
      return response
    }
  }
}
