import Jansson
import TestSupport
import Testing

@testable import OAuthCore
@testable import Plans
@testable import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Providers that users describe in their own files.
struct ProviderFilesTests {
  private let folder: TemporaryFolder
  private let catalog: ProviderCatalog

  init() throws {
    folder = try TemporaryFolder()
    catalog = ProviderCatalog.builtIn.adding(ProviderFiles(folder: folder.path))
  }

  private func write(_ name: String, _ text: String) { _ = folder.write(name, Array(text.utf8)) }

  @Test func aFileAddsAProvider() throws {
    write("mine.json", #"{"$schema":"x","name":"Mine","tokenEndpoint":"https://id.example/token"}"#)
    let provider = try catalog.resolve(.preset("mine"))
    #expect(provider.name == "Mine" && provider.defaultAccount == "mine" && provider.preset == "mine")
    #expect(provider.tokenEndpoint == "https://id.example/token")
    #expect(provider.source["$schema"] == nil)
    #expect(catalog.allNames.contains("mine"))
    #expect(try catalog.allNames == catalog.allNames.sorted())
  }

  @Test func aFileReplacesAPresetUnlessItStartsFromIt() throws {
    write("google.json", #"{"tokenEndpoint":"https://id.example/token"}"#)
    #expect(try catalog.resolve(.preset("google")).authorizationEndpoint == nil)
    write("google.json", #"{"preset":"google","tokenEndpoint":"https://id.example/token"}"#)
    let provider = try catalog.resolve(.preset("google"))
    #expect(provider.authorizationEndpoint == "https://accounts.google.com/o/oauth2/v2/auth")
    #expect(provider.tokenEndpoint == "https://id.example/token")
    #expect(try catalog.allNames.count { $0 == "google" } == 1)
  }

  @Test func anUnknownMembersNameControlsNoTerminal() throws {
    write("own.json", "{\"pkce\":\"off\",\"a\u{7F}b\":1}")
    let failure = #expect(throws: OAuthFailure.self) { try catalog.description(of: "own") }
    #expect(failure?.message.hasSuffix("/own.json, /ab, is unknown") == true)
  }

  @Test func aFileMayStartFromAnother() throws {
    write("work.json", #"{"preset":"base","scopes":["b"]}"#)
    write("base.json", #"{"preset":"gitlab","variables":{"host":"git.example"},"scopes":["a"]}"#)
    let provider = try catalog.resolve(.preset("work"))
    #expect(provider.tokenEndpoint == "https://git.example/oauth/token")
    #expect(provider.request.scopes == ["b"])
  }

  /// A file that moves the API allows calls to the new base. Hosts that the file names replace all others.
  @Test func anOwnBaseIsAllowed() throws {
    write("ghe.json", #"{"preset":"github","apiBase":"http://127.0.0.1:8080/api/"}"#)
    let moved = AllowedHosts(try catalog.resolve(.preset("ghe")))
    #expect(moved.allows(try URLParts("http://127.0.0.1:8080/api/user")))
    #expect(moved.allows(try URLParts("https://api.github.com/user")))
    #expect(!moved.allows(try URLParts("http://127.0.0.1:8081/api/user")))
    write("hosts.json", #"{"preset":"github","apiBase":"https://git.example/api/","apiHosts":["other.example"]}"#)
    #expect(!AllowedHosts(try catalog.resolve(.preset("hosts"))).allows(try URLParts("https://git.example/api/")))
    write("named.json", #"{"preset":"github","apiBase":"https://{host}/api/","variables":{"host":"git.example"}}"#)
    #expect(AllowedHosts(try catalog.resolve(.preset("named"))).allows(try URLParts("https://git.example/api/")))
    write("late.json", #"{"preset":"github","apiBase":"https://{site}/api/","tokenMembers":["site"]}"#)
    let usual = try catalog.resolve(.preset("github")).api.apiHosts
    #expect(try catalog.resolve(.preset("late")).api.apiHosts == usual)
  }

  /// Params may be an array by position. A file must be an object.
  @Test(arguments: ["[]", "[null,\"Mine\"]", "1"])
  func aFileIsAnObject(text: String) {
    write("list.json", text)
    let failure = #expect(throws: OAuthFailure.self) { try catalog.resolve(.preset("list")) }
    #expect(failure?.kind == .configurationInvalid && failure?["file"] != nil)
  }

  /// The built-in presets work without a folder that can be read, such as one whose path is a file.
  @Test(arguments: ["/file", "/none", "/file/providers"])
  func anInvalidFolderLeavesThePresets(place: String) {
    _ = folder.write("file", [])
    let catalog = ProviderCatalog.builtIn.adding(ProviderFiles(folder: folder.path + place))
    #expect(throws: Never.self) { try catalog.resolve(.preset("google")) }
    #expect(catalog.allNames == catalog.names)
    let failure = #expect(throws: OAuthFailure.self) { try catalog.resolve(.preset("mine")) }
    #expect(failure?.kind == .configurationInvalid)
  }

  @Test func filesThatStartFromEachOtherEnd() {
    write("a.json", #"{"preset":"b"}"#)
    write("b.json", #"{"preset":"a"}"#)
    #expect(throws: OAuthFailure.self) { try catalog.resolve(.preset("a")) }
    write("c.json", #"{"preset":"nowhere"}"#)
    #expect(throws: OAuthFailure.self) { try catalog.resolve(.preset("c")) }
    write("d.json", #"{"preset":"d"}"#)
    #expect(throws: OAuthFailure.self) { try catalog.resolve(.preset("d")) }
  }

  @Test(arguments: [
    (#"{"tokenEndpoint":7}"#, "/tokenEndpoint"), (#"{"tokenEndpiont":"https://x/"}"#, "/tokenEndpiont"), ("[]x", ""), ("", ""),
    (#"{"tokenEndpoint":"http://id.example/"}"#, "/tokenEndpoint"), (#"{"tokenErrors":{"code":"a..b"}}"#, "/tokenErrors/code"),
    (#"{"scopes":["a",7]}"#, "/scopes/1"), ("[1]", ""),
  ])
  func aBrokenFileIsNamedAndTheOthersStay(text: String, path: String) throws {
    write("broken.json", text)
    let failure = #expect(throws: OAuthFailure.self) { try catalog.resolve(.preset("broken")) }
    #expect(failure?.kind == .configurationInvalid)
    #expect(failure?["path"] == .string(path))
    #expect(failure?["file"] == .string("\(folder.path)/broken.json"))
    #expect(try catalog.resolve(.preset("google")).name == "Google")
    #expect(catalog.allNames.contains("broken"))
  }

  @Test(arguments: ["../mine", "a/b", ".hidden", "", "a\u{0}b", "..", "/etc/passwd", "mine.json/"])
  func aNameDoesNotLeadElsewhere(name: String) throws {
    write("mine.json", #"{"tokenEndpoint":"https://id.example/token"}"#)
    let inside = ProviderCatalog.builtIn.adding(ProviderFiles(folder: folder.path + "/sub"))
    #expect(try catalog.description(of: name) == nil)
    #expect(try inside.description(of: name) == nil)
  }

  @Test func aKeyThatOthersCanReadIsRejected() throws {
    write("signed.json", #"{"privateKey":"-----BEGIN PRIVATE KEY-----"}"#)
    #expect(try catalog.description(of: "signed") != nil)
    chmod("\(folder.path)/signed.json", 0o640)
    let failure = #expect(throws: OAuthFailure.self) { try catalog.description(of: "signed") }
    #expect(failure?["path"] == "/privateKey")
    write("open.json", #"{"tokenEndpoint":"https://id.example/token"}"#)
    chmod("\(folder.path)/open.json", 0o644)
    #expect(try catalog.description(of: "open") != nil)
  }

  @Test func aMissingFolderHasNoProviders() throws {
    let catalog = ProviderCatalog.builtIn.adding(ProviderFiles(folder: folder.path + "/none"))
    #expect(try catalog.allNames == ProviderCatalog.builtIn.names.sorted())
    #expect(try catalog.resolve(.preset("google")).name == "Google")
  }
}
