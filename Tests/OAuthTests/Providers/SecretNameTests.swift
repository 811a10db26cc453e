import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// Secrets in a description, recognized by their names, which must never be shown.
struct SecretNameTests {
  @Test(arguments: [
    "Authorization", "PROXY-AUTHORIZATION", "cookie", "X-Api-Key", "Ocp-Apim-Subscription-Key", "X-Auth-Token", "My-Secret", "X-Password-2",
    "X-Authentication",
  ])
  func headersThatHoldSecrets(name: String) { #expect(SecretName.isHeader(name)) }

  @Test(arguments: ["Accept", "X-SparkApi-User-Agent", "Notion-Version", "LinkedIn-Version", "Client-Id"])
  func headersThatDoNot(name: String) { #expect(!SecretName.isHeader(name)) }

  @Test(arguments: [
    "client_secret", "Password", "api_key", "apiKey", "access_token", "client_assertion", "developerToken", "id_token_hint",
  ])
  func parametersThatHoldSecrets(name: String) { #expect(SecretName.isParameter(name)) }

  @Test(arguments: ["token_access_type", "access_type", "prompt", "tenant", "host", "approval_prompt", "keyboard"])
  func parametersThatDoNot(name: String) { #expect(!SecretName.isParameter(name)) }

  @Test(arguments: [
    ("https://id.example/a@b", "https://id.example/a@b"), ("https://u:p@id.example/", "https://…@id.example/"),
    ("see https://u@x.example, http://a:b@c@y.example?d@e", "see https://…@x.example, http://…@y.example?d@e"),
    ("a@b.example", "a@b.example"),
    ("https://id.example", "https://id.example"),
  ])
  func urlsWithoutWhoAsks(text: String, shown: String) { #expect(SecretName.withoutUserInfo(text) == shown) }

  private static let description: [JSON.Member] =
    Stage.provider + [
      .init("tokenHeaders", ["X-Api-Key": "s3cr3t-header", "X-Plain": "plain"]),
      .init("apiHeaders", ["Authorization": "Basic s3cr3t-basic", "X-Dev-Token": "{developerToken}", "Accept": "a/b"]),
      .init("tokenParameters", ["client_secret": "s3cr3t-param", "type": "web"]),
      .init("authorizationParameters", ["api_key": "s3cr3t/page", "prompt": "consent"]), .init("tokenMembers", ["developerToken"]),
      .init("variables", ["apiKey": "s3cr3t-variable", "tenant": "t1"]),
      .init("reasons", ["tokenHeaders.X-Api-Key": "It wants a key."]),
    ]

  private func provider() throws -> Provider { try ProviderCatalog.builtIn.resolve(.description(Self.description)) }

  @Test func aDescriptionShowsNamesAndNoSecrets() throws {
    let shown = try provider().deviations
    let text = JSON.array(shown.map(\.value)).text
    let string = String(decoding: text, as: UTF8.self)
    #expect(!string.contains("s3cr3t"))
    for kept in ["a/b", "web", "consent", "t1", "{developerToken}"] { #expect(string.contains(kept), "\(kept)") }
    #expect(shown.contains { $0.member == "tokenHeaders.X-Api-Key" && $0.value == "…" })
    var issuer = Provider()
    issuer.issuer = "https://u:p@id.example"
    #expect(issuer.shownIssuer == "https://…@id.example")
  }

  @Test func aDryRunDoesNotShowThem() async throws {
    let stage = Stage(PreparedResponses())
    var request = Stage.request()
    request.provider = .description(Self.description)
    request.parameters = NamedValues([("request_secret", "s3cr3t-asked"), ("login_hint", "ann")])
    let dryRun = try await stage.accounts.dryRun(request).dryRun
    let text = dryRun.steps.map { "\($0.url) \($0.headers.pairs) \($0.body ?? "")" }.joined() + (dryRun.url ?? "")
    #expect(!text.contains("s3cr3t"))
    for kept in ["type=web", "prompt=consent", "login_hint=ann", "X-Api-Key", "client_secret=…", "api_key=…", "REFRESH_TOKEN"] {
      #expect(text.contains(kept), "\(kept)")
    }
  }

  /// A server may quote the request.
  @Test func anErrorDoesNotQuoteThem() async throws {
    let http = PreparedResponses()
    let stage = Stage(http)
    try await stage.keep { $0.provider = .object(Self.description) }
    http.add(
      status: 400,
      body: #"{"error":"invalid_request","error_description":"bad key s3cr3t-header, basic s3cr3t-basic, param s3cr3t-param"}"#)
    let failure = try #require(await failureOf { try await stage.accounts.refresh("a", validity: 60, force: true, requestID: nil) })
    let text = failure.message + String(decoding: JSON.object(failure.details).text, as: UTF8.self)
    #expect(!text.contains("s3cr3t") && text.contains("bad key …"))
  }

  /// They are credentials, so no foreign host receives them.
  @Test func aForeignRedirectReceivesNoCredentials() async throws {
    let stage = try await CallStage(apiHeaders: ["X-Api-Key": "s3cr3t", "X-Version": "7"])
    stage.redirect(to: "https://evil.example/")
    stage.server.add(body: "ok")
    _ = try await stage.call()
    #expect(stage.server.requests.map { $0.header("X-Api-Key") } == ["s3cr3t", nil])
    #expect(stage.server.requests.map { $0.header("X-Version") } == ["7", "7"])
  }
}
