import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// Steam's and Spark's documented exchanges, with the presets' own addresses. The members that a preset lists under `unconfirmed` are assumed here
/// too: the provider does not document them.
@Suite struct OpenIDPresetTests {
  private func request(_ preset: String, _ redirectUri: String, clientId: String? = nil) -> AuthorizationInput {
    var request = AuthorizationInput()
    request.account = "a"
    request.provider = .preset(preset)
    request.clientId = clientId
    request.credentials.secret = clientId.map { _ in Secret("client-secret") }
    request.redirectUri = redirectUri
    request.opensBrowser = false
    request.waits = false
    return request
  }

  private func grant(_ stage: Stage) async throws -> Grant? {
    _ = await soon { stage.told.contains { $0.hasPrefix("authorized") || $0.hasPrefix("failed") } }
    return try stage.store.read("a")
  }

  private static let steamId = "https%3A%2F%2Fsteamcommunity.com%2Fopenid%2Fid%2F76561197960435530"

  /// Returns an answer as Steam sends it: no association, every field signed, and Steam's identifier for the user.
  private func steamResponse(_ state: String, id: String = Self.steamId) -> String {
    "https://app.example/back?state=\(state)&openid.ns=http%3A%2F%2Fspecs.openid.net%2Fauth%2F2.0&openid.mode=id_res"
      + "&openid.op_endpoint=https%3A%2F%2Fsteamcommunity.com%2Fopenid%2Flogin&openid.claimed_id=\(id)&openid.identity=\(id)"
      + "&openid.return_to=https%3A%2F%2Fapp.example%2Fback%3Fstate%3D\(state)&openid.response_nonce=1970-01-12T13%3A46%3A40ZyFI%2F4A%3D"
      + "&openid.assoc_handle=1234567890&openid.signed=signed%2Cop_endpoint%2Cclaimed_id%2Cidentity%2Creturn_to%2Cresponse_nonce%2Cassoc_handle"
      + "&openid.sig=kM%2BHc8mTzSCjFKWWHi%2B0lFVmKpA%3D"
  }

  @Test func steam() async throws {
    let http = PreparedResponses()
    http.add(body: "ns:http://specs.openid.net/auth/2.0\nis_valid:true\n")
    let stage = Stage(http)
    let prompt = try await stage.begin(request("steam", "https://app.example/back")).prompt
    let returnTo = try #require(Stage.parameter("openid.return_to", of: prompt.url))
    let state = try #require(Stage.parameter("state", of: returnTo))
    let select = "http%3A%2F%2Fspecs.openid.net%2Fauth%2F2.0%2Fidentifier_select"
    #expect(
      prompt.url == "https://steamcommunity.com/openid/login?openid.ns=http%3A%2F%2Fspecs.openid.net%2Fauth%2F2.0&openid.mode=checkid_setup"
        + "&openid.claimed_id=\(select)&openid.identity=\(select)&openid.return_to=https%3A%2F%2Fapp.example%2Fback%3Fstate%3D\(state)"
        + "&openid.realm=https%3A%2F%2Fapp.example%2Fback")
    #expect(http.requests.isEmpty)
    #expect(try await stage.accounts.handleRedirect(steamResponse(state)))
    #expect(try await grant(stage)?.subject == "https://steamcommunity.com/openid/id/76561197960435530")
    let sent = try #require(http.requests.first)
    #expect(sent.method == "POST" && sent.url == "https://steamcommunity.com/openid/login" && http.requests.count == 1)
    #expect(sent.field("openid.mode") == "check_authentication" && sent.field("openid.sig") == "kM+Hc8mTzSCjFKWWHi+0lFVmKpA=")
    #expect(sent.field("openid.response_nonce") == "1970-01-12T13:46:40ZyFI/4A=" && sent.field("openid.assoc_handle") == "1234567890")
  }

  /// An identifier that only resembles Steam's is rejected, even if Steam confirms the signature.
  @Test(arguments: [
    "https%3A%2F%2Fsteamcommunity.com.evil.example%2Fopenid%2Fid%2F1", "https%3A%2F%2Fsteamcommunity.com%2Fopenid%2Fid%2F1%2F..%2F2",
    "http%3A%2F%2Fsteamcommunity.com%2Fopenid%2Fid%2F1", "https%3A%2F%2Fsteamcommunity.com%2Fid%2F1",
  ])
  func othersThanSteam(id: String) async throws {
    let http = PreparedResponses()
    http.add(body: "ns:http://specs.openid.net/auth/2.0\nis_valid:true\n")
    let stage = Stage(http)
    let prompt = try await stage.begin(request("steam", "https://app.example/back")).prompt
    let state = try #require(Stage.parameter("openid.return_to", of: prompt.url).flatMap { Stage.parameter("state", of: $0) })
    #expect(try await stage.accounts.handleRedirect(steamResponse(state, id: id)))
    #expect(try await grant(stage)?.subject == nil && stage.told.contains("failed responseUntrusted"))
  }

  @Test func spark() async throws {
    let http = PreparedResponses()
    http.add(body: "{\"expires_in\":86400,\"refresh_token\":\"r\",\"access_token\":\"t\"}")
    let stage = Stage(http)
    let prompt = try await stage.begin(request("spark", "https://sparkplatform.com/oauth2/callback", clientId: "key")).prompt
    let state = try #require(Stage.parameter("openid.spark.state", of: prompt.url))
    let callback = "https%3A%2F%2Fsparkplatform.com%2Foauth2%2Fcallback"
    #expect(
      prompt.url == "https://sparkplatform.com/openid?openid.mode=checkid_setup&openid.spark.client_id=key&openid.return_to=\(callback)"
        + "&openid.spark.combined_flow=true&openid.spark.state=\(state)")
    #expect(
      try await stage.accounts.handleRedirect(
        "https://sparkplatform.com/oauth2/callback?openid.mode=id_res&openid.spark.code=code-1&openid.spark.state=\(state)"))
    let kept = try #require(try await grant(stage))
    #expect(
      kept.refreshToken == Secret("r") && kept.expiresAt == 1_086_400 && kept.redirectUri == "https://sparkplatform.com/oauth2/callback")
    let sent = try #require(http.requests.first)
    #expect(sent.url == "https://sparkapi.com/v1/oauth2/grant" && sent.header("X-SparkApi-User-Agent") == "oauth-stdio")
    let json = try JSON.parse(Array(sent.text.utf8))
    #expect(
      json["client_id"] == "key" && json["client_secret"] == "client-secret" && json["grant_type"] == "authorization_code"
        && json["code"] == "code-1" && json["redirect_uri"] == "https://sparkplatform.com/oauth2/callback")
  }

  /// The response to the code may name the user, and another client's ID token is rejected.
  @Test(arguments: ["key", "other"])
  func anIDTokenBesideSparksCodeIsChecked(audience: String) async throws {
    let http = PreparedResponses()
    let token = try SigningKeys.issuer.get().token(goodClaims([.init("aud", .string(audience))]), .es256)
    http.add(body: #"{"access_token":"t","id_token":"\#(token.value)"}"#)
    let stage = Stage(http)
    let prompt = try await stage.begin(request("spark", "https://sparkplatform.com/oauth2/callback", clientId: "key")).prompt
    let state = try #require(Stage.parameter("openid.spark.state", of: prompt.url))
    #expect(
      try await stage.accounts.handleRedirect(
        "https://sparkplatform.com/oauth2/callback?openid.mode=id_res&openid.spark.code=code-1&openid.spark.state=\(state)"))
    let kept = try await grant(stage)
    #expect(kept?.idToken == (audience == "key" ? token : nil) && (kept?.subject != nil) == (audience == "key"))
    #expect(stage.told.contains("failed responseUntrusted") == (audience == "other"))
  }

  /// The values as Spark's own clients read them: without namespace, types and counts, distinguished only by their aliases.
  @Test func sparkIdentity() async throws {
    let http = PreparedResponses()
    http.add(body: "is_valid:true\n")
    let stage = Stage(http)
    let prompt = try await stage.begin(request("spark-openid", "https://app.example/back", clientId: "key")).prompt
    let state = try #require(Stage.parameter("openid.spark.state", of: prompt.url))
    let answer =
      "https://app.example/back?openid.mode=id_res&openid.op_endpoint=https%3A%2F%2Fsparkplatform.com%2Fopenid"
      + "&openid.return_to=https%3A%2F%2Fapp.example%2Fback&openid.response_nonce=1970-01-12T13%3A46%3A40Zx&openid.assoc_handle=h"
      + "&openid.ax.value.id=20110101000000000000000000&openid.ax.value.first_name=First&openid.ax.value.email=forged"
      + "&openid.signed=op_endpoint%2Creturn_to%2Cresponse_nonce%2Cassoc_handle%2Cax.value.id%2Cax.value.first_name&openid.sig=AAAA"
    #expect(try await stage.accounts.handleRedirect(answer) == false)
    #expect(try await stage.accounts.handleRedirect(answer + "&openid.spark.state=\(state)"))
    let kept = try #require(try await grant(stage))
    #expect(kept.attributes.pairs.map { "\($0.name)=\($0.value)" } == ["first_name=First", "id=20110101000000000000000000"])
    #expect(kept.accessToken == nil && kept.subject == nil && http.requests.first?.url == "https://sparkplatform.com/openid")
  }

  @Test func sparkIdentityWithoutAttributes() async throws {
    let stage = Stage(PreparedResponses())
    let prompt = try await stage.begin(request("spark-openid-plain", "https://app.example/back", clientId: "key")).prompt
    #expect(!prompt.url.contains("openid.ax") && prompt.url.contains("openid.spark.client_id=key"))
  }

  /// Spark's own clients check no signature.
  @Test func anUnsignedResponse() async throws {
    let stage = Stage(PreparedResponses())
    let prompt = try await stage.begin(request("spark-openid", "https://app.example/back", clientId: "key")).prompt
    let state = try #require(Stage.parameter("openid.spark.state", of: prompt.url))
    let answer = "https://app.example/back?openid.mode=id_res&openid.ax.value.id=2011&openid.claimed_id=https%3A%2F%2Fme.example"
    #expect(try await stage.accounts.handleRedirect(answer + "&openid.spark.state=forged") == false)
    #expect(try await stage.accounts.handleRedirect(answer + "&openid.spark.state=\(state)"))
    #expect(try await grant(stage) == nil && stage.told.contains("failed responseUntrusted"))
  }

  @Test func sparkByOpenIDConnect() async throws {
    let http = PreparedResponses()
    http.add(body: "{\"access_token\":\"t\",\"token_type\":\"Bearer\",\"expires_in\":86400,\"refresh_token\":\"r\"}")
    let stage = Stage(http)
    let (prompt, state) = try await stage.begin(request("spark-oidc", "https://example.com/callback", clientId: "1234"))
    #expect(prompt.url.hasPrefix("https://sparkplatform.com/openid/authorize?response_type=code&client_id=1234&"))
    #expect(Stage.parameter("scope", of: prompt.url) == "openid" && Stage.parameter("code_challenge", of: prompt.url) == nil)
    #expect(try await stage.accounts.handleRedirect("https://example.com/callback?state=\(state)&code=c"))
    _ = await soon { !http.requests.isEmpty }
    let sent = try #require(http.requests.first)
    #expect(sent.url == "https://sparkplatform.com/openid/token" && sent.field("client_secret") == "client-secret")
    #expect(sent.field("grant_type") == "authorization_code" && sent.field("code_verifier") == nil)
    let provider = try ProviderCatalog.builtIn.resolve(.preset("spark-oidc"))
    #expect(provider.api.apiCredential.scheme == nil && provider.api.apiHeaders["X-SparkApi-User-Agent"] == "oauth-stdio")
    #expect(provider.api.expired.codes == ["1020"] && provider.revocation.revocationEndpoint == "https://sparkplatform.com/openid/revoke")
  }
}
