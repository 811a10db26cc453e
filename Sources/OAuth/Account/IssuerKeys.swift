import Jansson

/// The public keys of issuers, fetched when an ID token has to be verified and kept in memory for as long as the issuer lets them be.
package actor IssuerKeys {
  /// Seconds for which fetched keys are good where the answer says nothing: rotations are announced days ahead, one fetch an hour costs nobody anything.
  static let usualLifetime = 3600
  /// Seconds that keys are kept whatever the answer says: with `no-store` every sign-in would fetch them twice.
  static let shortestLifetime = 300
  /// Seconds after which they are fetched anew whatever the answer says, so that a key which was lost and withdrawn is not believed for weeks.
  static let longestLifetime = 86_400
  /// Seconds between two fetches that an unknown key id causes. Whoever can make ID tokens up could otherwise have the issuer asked as often as he
  /// likes; keys that rotate need one such fetch and the next one days later.
  static let pauseBetweenUnknown = 60

  /// Where keys are, and the scope limit for fetching them. Keys fetched under one limit are not reused under another.
  package struct Place: Sendable, Hashable {
    package var uri: String
    package var limit: NetworkScope

    package init(_ uri: String, limit: NetworkScope) {
      self.uri = uri
      self.limit = limit
    }
  }

  private struct Kept {
    var keys: JSONWebKeySet
    /// Unix seconds.
    var until: Int
  }

  private let http: any HTTPClient
  private let clock: @Sendable () -> Int
  private let remark: @Sendable (Remark) -> Void
  private var kept: [Place: Kept] = [:]
  private var running: [Place: Promise<JSONWebKeySet>] = [:]
  /// When an unknown key id last caused a fetch.
  private var unknownAt: [Place: Int] = [:]

  package init(
    http: any HTTPClient, clock: @escaping @Sendable () -> Int, remark: @escaping @Sendable (Remark) -> Void = { _ in }
  ) {
    self.http = http
    self.clock = clock
    self.remark = remark
  }

  /// The keys published at `place`. Throws `networkFailure` and its kin when they cannot be fetched, for without them nothing may be believed, and
  /// `responseUntrusted` when what came is no key set.
  package func keys(at place: Place) async throws -> JSONWebKeySet {
    if let kept = kept[place], kept.until > clock() { return kept.keys }
    return try await fetch(place)
  }

  /// Throws `responseUntrusted` unless the private half of one of the keys at `place` made the signature; `issuer` is the one that the token names.
  package func verify(_ signature: JSONWebSignature, of issuer: IDToken, keysAt place: Place) async throws {
    guard signature.algorithm != nil else {
      throw OAuthFailure.untrusted("the id token is signed with \(signature.algorithmName), which proves nothing here")
    }
    let keys = try await keys(at: place)
    if Self.verifies(signature, issuer, keys) { return }
    guard keys.mayBeOutdated(for: signature) else { throw OAuthFailure.untrusted("the id token's signature is not its issuer's") }
    guard clock() - (unknownAt[place] ?? .min / 2) >= Self.pauseBetweenUnknown else { throw Self.unknownKey }
    unknownAt[place] = clock()
    guard Self.verifies(signature, issuer, try await fetch(place)) else { throw Self.unknownKey }
  }

  private static let unknownKey = OAuthFailure.untrusted("the id token is signed with a key that its issuer does not publish")

  private static func verifies(_ signature: JSONWebSignature, _ token: IDToken, _ keys: JSONWebKeySet) -> Bool {
    keys.candidates(for: signature).contains { key in
      // A key that names its issuer signs for that one alone, even where the set serves many.
      if let issuer = key.issuer, !IssuerTemplate(issuer).names(token.issuer, tenant: token.tenant) { return false }
      return signature.isMade(by: key)
    }
  }

  /// One fetch at a time for a place, whoever asks.
  private func fetch(_ place: Place) async throws -> JSONWebKeySet {
    while let promise = running[place] {
      do {
        return try await promise.value()
      } catch let failure as OAuthFailure where failure["cause"] == "cancelled" {
        // The caller that fetched them was cancelled, and this one was not.
        try Task.checkCancellation()
      }
    }
    let promise = Promise<JSONWebKeySet>()
    running[place] = promise
    defer { running[place] = nil }
    do {
      let response = try await ask(place)
      let keys = try JSONWebKeySet(response.body)
      let lifetime = Self.lifetime(response)
      kept[place] = Kept(keys: keys, until: clock() + lifetime)
      remark(.keysFetched(host: (try? URLParts(place.uri))?.host ?? "", seconds: lifetime))
      promise.settle(.success(keys))
      return keys
    } catch {
      promise.settle(.failure(error))
      throw error
    }
  }

  private func ask(_ place: Place) async throws(OAuthFailure) -> HTTPResponse {
    var request = HTTPRequest(method: "GET", url: place.uri, headers: [HTTPHeader("Accept", "application/json")])
    // Somebody waits in front of a page meanwhile.
    request.timeout = 10
    // A hundred of the longest keys with certificate chains beside them are smaller.
    request.maxBytes = 1 << 20
    request.scopeLimit = place.limit
    let response: HTTPResponse
    do {
      response = try await http.send(request)
    } catch {
      var failure = OAuthFailure(error)
      failure.message = "the issuer's keys could not be fetched: \(failure.message)"
      throw failure
    }
    guard response.status == 200 else {
      throw OAuthFailure(
        .authorizationServerError, "the issuer's keys could not be fetched: the answer was status \(response.status)",
        details: [.init("httpStatus", .integer(response.status))], isRetryable: response.status == 429 || response.status >= 500)
    }
    return response
  }

  /// How long the answer lets itself be kept (RFC 9111, 5.2.2), less the time that it has been kept elsewhere (4.2.3), within our bounds.
  static func lifetime(_ response: HTTPResponse) -> Int {
    var seconds: Int?
    for directive in (response.header("Cache-Control") ?? "").lowercased().split(separator: ",") {
      let parts = directive.split(separator: "=", maxSplits: 1).map { part in part.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
      switch parts.first {
      case "no-store", "no-cache": return shortestLifetime
      case "max-age" where parts.count == 2: seconds = Int(parts[1])
      default: break
      }
    }
    guard let seconds else { return usualLifetime }
    let age = response.header("Age").flatMap(Int.init) ?? 0
    return min(max(seconds - max(0, min(age, seconds)), shortestLifetime), longestLifetime)
  }
}
