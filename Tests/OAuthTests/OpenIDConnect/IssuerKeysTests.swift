import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Signatures

/// Issuer keys that are fetched, cached and rotated, and floods of requests for them.
struct IssuerKeysTests {
  private static let uri = "https://id.example/keys"
  private let old: SigningKeys
  private let new: SigningKeys
  private let http = PreparedResponses()
  private let clock = ManualClock()
  private let keys: IDTokenValidation.IssuerKeys

  init() throws {
    old = try SigningKeys.issuer.get()
    new = try SigningKeys.stranger.get()
    keys = IDTokenValidation.IssuerKeys(http: http, clock: clock.clock)
  }

  private func publish(_ pairs: [(String?, SigningKeys)], headers: [HTTPHeader] = []) throws {
    let published = try pairs.map { id, keys in
      try keys.published(for: .es256, id.map { [.init("kid", .string($0))] } ?? [])
    }
    let body = String(decoding: JSON.object([.init("keys", .array(published))]).text, as: UTF8.self)
    http.add(headers: headers, body: body)
  }

  private func verify(_ keys: SigningKeys, kid: String?, claims: [JSON.Member] = []) async -> String? {
    await failureOf {
      let token = try keys.token(goodClaims(claims), .es256, header: kid.map { [.init("kid", .string($0))] } ?? [])
      let signature = try JSONWebSignature(token)
      let claims = try IDToken(claims: signature.payload)
      try await self.keys.verify(
        signature, issuer: claims.issuer, tenant: claims.tenant, keysAt: .init(uri: Self.uri, limit: .thisMachine))
    }?.message
  }

  private static let unknown = "the ID token is signed with a key that its issuer does not publish"

  @Test func fetchedOnceAndKept() async throws {
    try publish([("a", old)])
    for _ in 0..<3 { #expect(await verify(old, kid: "a") == nil) }
    #expect(http.requests.count == 1)
    #expect(http.requests.first?.url == Self.uri)
    #expect(http.requests.first?.method == "GET")
    #expect(http.requests.first?.headers.contains { $0.name == "Authorization" } == false)
  }

  @Test func manyAskersShareOneFetch() async throws {
    try publish([("a", old)])
    let failures = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<10 { group.addTask { await verify(old, kid: "a") } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(failures.allSatisfy { $0 == nil })
    #expect(http.requests.count == 1)
  }

  @Test(arguments: [[], [HTTPHeader("Cache-Control", "no-store")], [HTTPHeader("Cache-Control", "max-age=31536000")]])
  func keysAreFetchedOnceAnHour(headers: [HTTPHeader]) async throws {
    try publish([("a", old)], headers: headers)
    #expect(await verify(old, kid: "a") == nil)
    clock.advance(CacheLifetime.usual - 1)
    #expect(await verify(old, kid: "a") == nil)
    #expect(http.requests.count == 1)
    clock.advance(1)
    try publish([("a", old)])
    #expect(await verify(old, kid: "a") == nil)
    #expect(http.requests.count == 2)
  }

  @Test func aRotatedKeyIsFetchedAtOnce() async throws {
    try publish([("old", old)])
    #expect(await verify(old, kid: "old") == nil)
    try publish([("old", old), ("new", new)])
    #expect(await verify(new, kid: "new") == nil)
    #expect(await verify(old, kid: "old") == nil)
    #expect(http.requests.count == 2)
  }

  /// If keys have no ID, a signature that matches none of them looks like a rotation.
  @Test func aRotationWithoutNamesIsSeenToo() async throws {
    try publish([(nil, old)])
    #expect(await verify(old, kid: nil) == nil)
    try publish([(nil, new)])
    #expect(await verify(new, kid: nil) == nil)
    #expect(http.requests.count == 2)
  }

  /// A network failure shows nothing about the key. The next ID token is verified as soon as the issuer answers.
  @Test func aFetchThatFailsForAnUnknownKeyIsTriedAgain() async throws {
    try publish([("old", old)])
    #expect(await verify(old, kid: "old") == nil)
    http.add { _ in .failure(.network(host: "id.example", cause: "connect", answered: false)) }
    #expect(
      await verify(new, kid: "new")
        == "the issuer's keys could not be fetched: id.example could not be reached: nothing accepts connections there, or a firewall blocks them"
    )
    try publish([("old", old), ("new", new)])
    #expect(await verify(new, kid: "new") == nil)
  }

  /// A wrong signature under a known key ID is a forgery, not a rotation.
  @Test func aForgedSignatureCausesNoFetch() async throws {
    try publish([("a", old)])
    #expect(await verify(new, kid: "a") == "the ID token's signature is invalid")
    #expect(http.requests.count == 1)
  }

  @Test func anUnusableAlgorithmCausesNoFetch() async throws {
    let token = try old.token(goodClaims(), .es256, header: [.init("alg", "HS256")])
    let signature = try JSONWebSignature(token)
    let failure = await failureOf {
      try await keys.verify(signature, issuer: nil, tenant: nil, keysAt: .init(uri: Self.uri, limit: .thisMachine))
    }
    #expect(failure?.kind == .responseUntrusted)
    #expect(failure?.message == "the ID token is signed with an algorithm, such as HS256, that cannot be verified")
    #expect(http.requests.isEmpty)
  }

  /// Without keys no token is accepted. Failed fetches may be retryable.
  @Test func withoutKeysNothingIsBelieved() async throws {
    http.add { _ in .failure(.network(host: "id.example", cause: "connect", answered: false)) }
    let failure = await failureOf { try await keys.keys(at: .init(uri: Self.uri, limit: .thisMachine)) }
    #expect(failure?.kind == .networkFailure)
    #expect(failure?.isRetryable == true)
    #expect(failure?["host"] == "id.example")
    #expect(
      failure?.message
        == "the issuer's keys could not be fetched: id.example could not be reached: nothing accepts connections there, or a firewall blocks them"
    )
    http.add(status: 503, body: "")
    let busy = await failureOf { try await keys.keys(at: .init(uri: Self.uri, limit: .thisMachine)) }
    #expect(busy?.kind == .authorizationServerError)
    #expect(busy?.isRetryable == true)
    http.add(status: 302, headers: [HTTPHeader("Location", "https://evil.example/keys")], body: "")
    let moved = await failureOf { try await keys.keys(at: .init(uri: Self.uri, limit: .thisMachine)) }
    #expect(moved?.isRetryable == false)
    http.add(body: "<html>Welcome to our hotel</html>")
    #expect(await failureOf { try await keys.keys(at: .init(uri: Self.uri, limit: .thisMachine)) }?.kind == .responseUntrusted)
    // None of these failures is remembered.
    try publish([("a", old)])
    #expect(await verify(old, kid: "a") == nil)
  }

  /// Expired keys are not used, even if new ones cannot be fetched.
  @Test func expiredKeysAreNotUsed() async throws {
    try publish([("a", old)])
    #expect(await verify(old, kid: "a") == nil)
    clock.advance(CacheLifetime.usual)
    http.add { _ in .failure(.timedOut(host: "id.example")) }
    #expect(await verify(old, kid: "a") == "the issuer's keys could not be fetched: id.example did not answer in time")
  }

  /// One key set serves many tenants. A key for one issuer does not verify another issuer's tokens.
  @Test func aKeyThatNamesItsIssuerServesThatOneAlone() async throws {
    let consumers = try old.published(for: .es256, [.init("kid", "c"), .init("issuer", "https://id.example/consumers/v2.0")])
    let work = try new.published(for: .es256, [.init("kid", "w"), .init("issuer", "https://id.example/{tenantid}/v2.0")])
    let body = String(decoding: JSON.object([.init("keys", [consumers, work])]).text, as: UTF8.self)
    http.add(body: body)
    let ours: [JSON.Member] = [.init("iss", "https://id.example/t-1/v2.0"), .init("tid", "t-1")]
    #expect(await verify(new, kid: "w", claims: ours) == nil)
    #expect(await verify(old, kid: "c", claims: ours) == "the ID token's signature is invalid")
    #expect(await verify(old, kid: "c", claims: [.init("iss", "https://id.example/consumers/v2.0")]) == nil)
  }

  @Test func twoIssuersHaveTwoSets() async throws {
    try publish([("a", old)])
    try publish([("a", new)])
    #expect(await verify(old, kid: "a") == nil)
    #expect(try await keys.keys(at: .init(uri: "https://other.example/keys", limit: .thisMachine)).keys.count == 1)
    #expect(http.requests.map(\.url) == [Self.uri, "https://other.example/keys"])
  }
}
