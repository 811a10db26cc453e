import Crypto
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

/// Grants that a newer version has written: left unchanged, and reported as newer.
struct StoreVersionTests {
  private let stage: StoreStage
  private var folder: TemporaryFolder { stage.folder }

  init() throws { stage = try StoreStage() }

  @Test(arguments: ["oauth-stdio grant 2\na\n", "oauth-stdio grant 12 whatever follows\n\u{1}\u{2}"])
  func aGrantOfANewerVersionStays(text: String) async throws {
    let store = stage.store()
    try await store.write(stage.grant("b"))
    _ = folder.write("a.grant", Array(text.utf8))
    for _ in 0..<2 {
      let failure = try #require(stage.rejection(store))
      #expect(failure.message.contains("newer version") && failure["setAside"] == nil && failure.account == "a")
    }
    #expect(folder.read("a.grant") == Array(text.utf8))
    let listed = try await store.list()
    #expect(listed.map(\.account) == ["a", "b"] && listed[0].problem?.message.contains("newer version") == true)
  }

  /// The text decrypts with the store's key, so a process wrote it as it is. Unknown values in it are not damage.
  @Test(arguments: [
    #"{"account":"a","unknownScopes":"of a later kind"}"#, #"{"name":"a","provider":{},"clientId":"c","accessToken":"t","issuedAt":1}"#,
  ])
  func aSealedTextThatCannotBeReadIsOfANewerVersion(text: String) async throws {
    let store = stage.store()
    try await store.write(stage.grant("a"))
    let key = SymmetricKey(data: try #require(folder.read("key")))
    let whole = try #require(folder.read("a.grant"))
    let lines = whole.split(separator: 10, maxSplits: 2, omittingEmptySubsequences: false)
    let clear = Array(lines[0] + [10] + lines[1] + [10])
    let box = try AES.GCM.seal(Array(text.utf8), using: key, authenticating: clear)
    let later = clear + Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    _ = folder.write("a.grant", later)
    #expect(stage.rejection(stage.store())?.message.contains("newer version") == true)
    #expect(folder.read("a.grant") == later)
  }

  /// A sign-in that ends after a newer version has written the account does not replace its grant.
  @Test func aSignInDoesNotReplaceAGrantOfANewerVersion() async throws {
    let text = Array("oauth-stdio grant 2 x\na\n".utf8)
    // Creates the folder's key.
    try await stage.store().write(stage.grant("b"))
    _ = folder.write("a.grant", text)
    let account = Stage(PreparedResponses(), store: stage.store()).accounts["a"]
    #expect(await failureOf { _ = try await account.keep(stage.grant("a")) }?.message.contains("newer version") == true)
    #expect(folder.read("a.grant") == text)
  }
}
