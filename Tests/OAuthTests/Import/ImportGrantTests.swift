import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// Grants that are imported, and grants that were exported before.
struct ImportGrantTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func fileStore() -> FileStore {
    FileStore(folder: folder.path, clock: .fixed(1))
  }

  private static func imported(_ data: JSON) throws -> ImportedGrant { try ImportFormat.json.read(data, issuedAt: nil, now: 1_000_000) }

  private static func request(_ account: String, _ provider: JSON) -> AuthorizationInput {
    var request = AuthorizationInput()
    request.account = account
    request.clientId = "client"
    request.provider = .description(provider.members ?? [])
    return request
  }

  /// Returns whether the import was stored; false if a grant was there.
  private static func isKept(_ stage: Stage, _ token: String) async throws -> Bool {
    do {
      _ = try await stage.accounts.importGrant(
        try imported(["access_token": .string(token)]), for: request("a", .object(Stage.provider)), replaces: false)
      return true
    } catch let error as FieldError {
      #expect(error.path == "/account")
      return false
    }
  }

  /// Both imports begin before either is written: in one process, and in two processes that share a folder.
  @Test(arguments: [1, 2])
  func ofTwoAtOnceOneIsKept(processes: Int) async throws {
    let stores = (LockRequests(store: fileStore()), LockRequests(store: fileStore()))
    let first = Stage(PreparedResponses(), store: stores.0)
    let second = processes == 1 ? first : Stage(PreparedResponses(), store: stores.1)
    var lock: GrantLock? = try await fileStore().lock("a")
    async let one = Self.isKept(first, "at-1")
    async let other = Self.isKept(second, "at-2")
    let turn = { @Sendable in first.accounts["a"].life.turn?.waiting ?? 0 }
    #expect(await soon { stores.0.count.value + stores.1.count.value == processes && turn() == 2 - processes })
    withExtendedLifetime(lock) {}
    lock = nil
    let kept = try await [one, other]
    #expect(kept.count { $0 } == 1)
    #expect(try fileStore().read("a")?.accessToken == Secret(kept[0] ? "at-1" : "at-2"))
    #expect(try await Self.isKept(second, "at-3") == false)
  }

  private static let oauth2: [JSON.Member] = [
    .init("authorizationEndpoint", "https://login.example/authorize"), .init("tokenEndpoint", "https://login.example/token"),
    .init("apiBase", "{instance_url}/services/"), .init("endpointHosts", ["*.force.example"]), .init("tokenMembers", ["instance_url"]),
  ]
  private static let oauth1: [JSON.Member] = [
    .init("protocol", "oauth1"), .init("requestTokenEndpoint", "https://o1.example/request"),
    .init("authorizationEndpoint", "https://o1.example/authorize"), .init("accessTokenEndpoint", "https://o1.example/access"),
    .init("signatureMethod", "HMAC-SHA1"),
  ]
  private static let openid: [JSON.Member] = [.init("protocol", "openid2"), .init("openidEndpoint", "https://openid.example/")]

  private static func grants() -> [Grant] {
    func grant(_ provider: [JSON.Member], _ token: String?, _ type: String?) -> Grant {
      var grant = Grant(
        account: "a", provider: .object(provider), client: Client(id: "client"), accessToken: token.map(Secret.init), tokenType: type,
        issuedAt: 900_000)
      grant.subject = "user-1"
      grant.email = "user@example.org"
      return grant
    }
    var bearer = grant(oauth2, "at", "Bearer")
    (bearer.refreshToken, bearer.refreshTokenExpiresAt, bearer.expiresAt) = (Secret("rt"), 2_000_000, 1_003_600)
    (bearer.idToken, bearer.idTokenExpiresAt, bearer.redirectUri) = (Secret("a.b.c"), 1_003_600, "http://127.0.0.1:80/")
    (bearer.grantedScopes, bearer.declinedScopes) = (["read"], ["write"])
    bearer.attributes = NamedValues([("instance_url", "https://na1.force.example")])
    var signed = grant(oauth1, "ot", Grant.signedTokenType)
    (signed.tokenSecret, signed.sessionHandle) = (Secret("os"), Secret("oh"))
    signed.attributes = NamedValues([("user_id", "42"), ("screen_name", "ann")])
    var identity = grant(openid, nil, nil)
    identity.declinedScopes = ["read"]
    identity.attributes = NamedValues([("fullname", "Ann")])
    return [bearer, signed, identity]
  }

  @Test(arguments: 0..<3)
  func exportedGrantsCanBeImported(index: Int) async throws {
    var grant = Self.grants()[index]
    let stage = Stage(PreparedResponses())
    var writer = JSONWriter()
    writer.value(grant.tokenResponse(at: 1_000_000))
    let data = try JSON.parse(writer.bytes)
    let kept = try await stage.accounts.importGrant(
      try Self.imported(data), for: Self.request("a", grant.exportedProvider), replaces: false)
    grant.providerName = kept.providerName
    #expect(JSON.object(grant.provider.members ?? []) == kept.provider)
    grant.provider = kept.provider
    // Each import is a login of its own.
    #expect(kept.login != nil && kept.login != grant.login)
    (grant.login, grant.importedAt) = (kept.login, kept.importedAt)
    #expect(kept == grant)
    #expect(kept.text == grant.text)
  }

  @Test func aKeyIsTheClientsAndNoPartOfTheGrant() {
    var grant = Self.grants()[1]
    grant.provider = .object(Self.oauth1 + [.init("privateKey", "KEY")])
    #expect(grant.exportedProvider["privateKey"] == nil && grant.exportedProvider["protocol"] == "oauth1")
  }

  @Test(arguments: [
    (#"{"subject":"a\nb"}"#, "/data/oauth_stdio/subject"), (#"{"attributes":{"x":"\u007f"}}"#, "/data/oauth_stdio/attributes/x"),
    (#"{"issuedAt":-1}"#, "/data/oauth_stdio/issuedAt"), (#"{"other":1}"#, "/data/oauth_stdio/other"),
    (#"{}"#, "/data"),
  ])
  func invalidFacts(facts: String, path: String) throws {
    let data = try JSON.parse(Array(#"{"oauth_stdio":\#(facts)}"#.utf8))
    do {
      _ = try Self.imported(data).settled(by: TokenResponseOptions(), now: 1_000_000)
      Issue.record("the facts were accepted")
    } catch let error as FieldError {
      #expect(error.path == path)
    }
  }

  @Test func variablesNameTheProvidersHost() async throws {
    var request = Self.request("a", .object([]))
    request.provider = .preset("gitlab")
    request.variables = NamedValues([("host", "git.example")])
    let stage = Stage(PreparedResponses())
    let grant = try await stage.accounts.importGrant(try Self.imported(["access_token": "at"]), for: request, replaces: false)
    #expect(try grant.resolvedProvider.tokenEndpoint?.contains("git.example") == true)
  }
}
