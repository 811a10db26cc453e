import Jansson
import TestSupport
import Testing

@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// A description is decoded once for each version of a grant.
@Suite struct DecodedDescriptionTests {
  @Test func oneVersionIsDecodedOnce() async throws {
    let folder = try TemporaryFolder()
    let store = FileStore(folder: folder.path + "/store", clock: .fixed(0))
    var grant = Grant(
      account: "a", provider: ["tokenEndpoint": "https://a.example/t"], client: Client(id: "c"), accessToken: Secret("t"),
      tokenType: "Bearer", issuedAt: 0)
    try await store.write(grant)
    let first = try #require(try store.read("a"))
    #expect(try first.resolvedProvider.tokenEndpoint == "https://a.example/t")
    let second = try #require(try store.read("a"))
    _ = try second.decoded.resolved { () throws(OAuthFailure) in throw .unsupported("it was decoded before") }
    #expect(second.decoded === first.decoded)

    grant.generation = 2
    grant.provider = ["tokenEndpoint": "https://b.example/t"]
    try await store.write(grant)
    #expect(try store.read("a")?.resolvedProvider.tokenEndpoint == "https://b.example/t")
  }

  @Test func aPresetIsLookedUpAgainWhenItsFileChanges() throws {
    let folder = try TemporaryFolder()
    func write(_ path: String) {
      _ = folder.write("mine.json", Array(#"{"tokenEndpoint":"https://a.example/t","apiBase":"https://a.example/\#(path)/"}"#.utf8))
    }
    write("one")
    let catalog = ProviderCatalog.builtIn.adding(ProviderFiles(folder: folder.path))
    var grant = Grant(
      account: "a", provider: ["tokenEndpoint": "https://a.example/t"], client: Client(id: "c"), accessToken: nil, tokenType: nil,
      issuedAt: 0)
    grant.providerReference = "mine"
    let first = grant.described(by: catalog)
    #expect(try first.resolvedProvider.api.apiBase == "https://a.example/one/")
    #expect(grant.described(by: catalog).decoded === first.decoded)
    write("another")
    #expect(try grant.described(by: catalog).resolvedProvider.api.apiBase == "https://a.example/another/")
  }
}
