import Jansson
import Testing

@testable import OAuth

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Providers that a user describes in files of his own.
struct ProviderFilesTests {
  private let folder: TemporaryFolder
  private let presets: Presets

  init() throws {
    folder = try TemporaryFolder()
    presets = Presets.builtIn.adding(ProviderFiles(folder: folder.path))
  }

  private func write(_ name: String, _ text: String) { _ = folder.write(name, Array(text.utf8)) }

  @Test func aFileAddsAProvider() throws {
    write("mine.json", #"{"$schema":"x","name":"Mine","tokenEndpoint":"https://id.example/token"}"#)
    let provider = try presets.resolve(.preset("mine"))
    #expect(provider.name == "Mine" && provider.defaultAccount == "mine" && provider.preset == "mine")
    #expect(provider.tokenEndpoint == "https://id.example/token")
    #expect(provider.source["$schema"] == nil)
    #expect(try presets.allNames.contains("mine"))
    #expect(try presets.allNames == presets.allNames.sorted())
  }

  @Test func aFileReplacesAPresetUnlessItStartsFromIt() throws {
    write("google.json", #"{"tokenEndpoint":"https://id.example/token"}"#)
    #expect(try presets.resolve(.preset("google")).authorizationEndpoint == nil)
    write("google.json", #"{"preset":"google","tokenEndpoint":"https://id.example/token"}"#)
    let provider = try presets.resolve(.preset("google"))
    #expect(provider.authorizationEndpoint == "https://accounts.google.com/o/oauth2/v2/auth")
    #expect(provider.tokenEndpoint == "https://id.example/token")
    #expect(try presets.allNames.count { $0 == "google" } == 1)
  }

  @Test func aFileMayStartFromAnother() throws {
    write("work.json", #"{"preset":"base","scopes":["b"]}"#)
    write("base.json", #"{"preset":"gitlab","variables":{"host":"git.example"},"scopes":["a"]}"#)
    let provider = try presets.resolve(.preset("work"))
    #expect(provider.tokenEndpoint == "https://git.example/oauth/token")
    #expect(provider.request.scopes == ["b"])
  }

  /// Whoever moves the API means to call it there; hosts that he names himself are all that there are.
  @Test func anOwnBaseIsAllowed() throws {
    write("ghe.json", #"{"preset":"github","apiBase":"http://127.0.0.1:8080/api/"}"#)
    let moved = AllowedHosts(try presets.resolve(.preset("ghe")))
    #expect(moved.allows(try URLParts("http://127.0.0.1:8080/api/user")))
    #expect(moved.allows(try URLParts("https://api.github.com/user")))
    #expect(!moved.allows(try URLParts("http://127.0.0.1:8081/api/user")))
    write("hosts.json", #"{"preset":"github","apiBase":"https://git.example/api/","apiHosts":["other.example"]}"#)
    #expect(!AllowedHosts(try presets.resolve(.preset("hosts"))).allows(try URLParts("https://git.example/api/")))
    write("named.json", #"{"preset":"github","apiBase":"https://{host}/api/","variables":{"host":"git.example"}}"#)
    #expect(AllowedHosts(try presets.resolve(.preset("named"))).allows(try URLParts("https://git.example/api/")))
    write("late.json", #"{"preset":"github","apiBase":"https://{site}/api/","tokenMembers":["site"]}"#)
    let usual = try presets.resolve(.preset("github")).api.apiHosts
    #expect(try presets.resolve(.preset("late")).api.apiHosts == usual)
  }

  /// Params may be an array by position; a file may not.
  @Test(arguments: ["[]", "[null,\"Mine\"]", "1"])
  func aFileIsAnObject(text: String) {
    write("list.json", text)
    let failure = #expect(throws: OAuthFailure.self) { try presets.resolve(.preset("list")) }
    #expect(failure?.kind == .configurationInvalid && failure?["file"] != nil)
  }

  /// What stands where the folder should be says nothing of the presets that are built in.
  @Test func whatIsNoFolderIsNamedAndTheOthersStay() {
    _ = folder.write("file", [])
    let presets = Presets.builtIn.adding(ProviderFiles(folder: folder.path + "/file"))
    #expect(throws: Never.self) { try presets.resolve(.preset("google")) }
    for failure in [presets.fault, #expect(throws: OAuthFailure.self) { try presets.resolve(.preset("mine")) }] {
      #expect(failure?.kind == .configurationInvalid && failure?["file"] == .string(folder.path + "/file"))
    }
    #expect(Presets.builtIn.adding(ProviderFiles(folder: folder.path)).fault == nil)
    for none in ["/none", "/file/providers"] {
      let presets = Presets.builtIn.adding(ProviderFiles(folder: folder.path + none))
      #expect(presets.fault == nil)
      #expect(throws: Never.self) { try presets.resolve(.preset("google")) }
    }
  }

  @Test func filesThatStartFromEachOtherEnd() {
    write("a.json", #"{"preset":"b"}"#)
    write("b.json", #"{"preset":"a"}"#)
    #expect(throws: OAuthFailure.self) { try presets.resolve(.preset("a")) }
    write("c.json", #"{"preset":"nowhere"}"#)
    #expect(throws: OAuthFailure.self) { try presets.resolve(.preset("c")) }
    write("d.json", #"{"preset":"d"}"#)
    #expect(throws: OAuthFailure.self) { try presets.resolve(.preset("d")) }
  }

  @Test(arguments: [
    (#"{"tokenEndpoint":7}"#, "/tokenEndpoint"), (#"{"tokenEndpiont":"https://x/"}"#, "/tokenEndpiont"), ("[]x", ""), ("", ""),
    (#"{"tokenEndpoint":"http://id.example/"}"#, "/tokenEndpoint"), (#"{"tokenErrors":{"code":"a..b"}}"#, "/tokenErrors/code"),
    (#"{"scopes":["a",7]}"#, "/scopes/1"), ("[1]", ""),
  ])
  func aBrokenFileIsNamedAndTheOthersStay(text: String, path: String) throws {
    write("broken.json", text)
    let failure = #expect(throws: OAuthFailure.self) { try presets.resolve(.preset("broken")) }
    #expect(failure?.kind == .configurationInvalid)
    #expect(failure?["path"] == .string(path))
    #expect(failure?["file"] == .string("\(folder.path)/broken.json"))
    #expect(try presets.resolve(.preset("google")).name == "Google")
    #expect(try presets.allNames.contains("broken"))
  }

  @Test(arguments: ["../mine", "a/b", ".hidden", "", "a\u{0}b", "..", "/etc/passwd", "mine.json/"])
  func aNameDoesNotLeadElsewhere(name: String) throws {
    write("mine.json", #"{"tokenEndpoint":"https://id.example/token"}"#)
    let inside = Presets.builtIn.adding(ProviderFiles(folder: folder.path + "/sub"))
    #expect(try presets.description(of: name) == nil)
    #expect(try inside.description(of: name) == nil)
  }

  @Test func aKeyThatOthersCanReadIsRefused() throws {
    write("signed.json", #"{"privateKey":"-----BEGIN PRIVATE KEY-----"}"#)
    #expect(try presets.description(of: "signed") != nil)
    chmod("\(folder.path)/signed.json", 0o640)
    let failure = #expect(throws: OAuthFailure.self) { try presets.description(of: "signed") }
    #expect(failure?["path"] == "/privateKey")
    write("open.json", #"{"tokenEndpoint":"https://id.example/token"}"#)
    chmod("\(folder.path)/open.json", 0o644)
    #expect(try presets.description(of: "open") != nil)
  }

  @Test func aFolderThatIsNotThereHasNone() throws {
    let presets = Presets.builtIn.adding(ProviderFiles(folder: folder.path + "/none"))
    #expect(try presets.allNames == Presets.builtIn.names.sorted())
    #expect(try presets.resolve(.preset("google")).name == "Google")
  }
}
