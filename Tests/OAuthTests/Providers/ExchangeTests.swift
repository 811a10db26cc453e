import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// Compares every preset with its provider's documentation: the bytes of requests, and the values read from answers.
struct ExchangeTests {
  /// Without a user's sign-in.
  static let apps = ["github-app"]

  /// Only OAuth 2.0 with a user: the other protocols, and the keys of apps, have their own tests.
  static let catalog = Preset.all.map(\.name).filter { name in
    guard let members = try? ProviderCatalog.builtIn.description(of: name) else { return true }
    return !apps.contains(name) && [nil, "oauth2"].contains(JSON.object(members)["protocol"]?.string)
  }

  @Test func everyPresetHasAnExchangeAndEveryExchangeAPreset() throws {
    #expect(Self.catalog == (try Exchange.names(in: "Tests/OAuthTests/Providers/Exchanges")))
  }

  @Test func theTableHasEveryFileOfTheFolder() throws {
    let names = Preset.all.map(\.name)
    #expect(names == (try Exchange.names(in: "Sources/OAuthCore/Provider/Presets")))
    for name in names {
      #expect(Preset.named(name)?.text == Exchange.file("Sources/OAuthCore/Provider/Presets/\(name).json"), "\(name)")
    }
  }

  /// An exchange links its documentation and, like its preset, lists what could not be confirmed.
  @Test(arguments: catalog)
  func anExchangeNamesItsSourceAndItsDoubts(name: String) throws {
    let exchange = try Exchange(name)
    #expect(!exchange.sources.isEmpty)
    let members = JSON.object(try #require(try ProviderCatalog.builtIn.description(of: name)))
    #expect(exchange.words("unconfirmed") == (members["unconfirmed"]?.array ?? []).compactMap(\.string))
    let once = ["authorize", "redirected", "token request", "token answer", "account", "token error", "failure", "call", "call request"]
    let perhaps = [
      "call answer", "call result", "dead token answer", "refresh request", "refresh answer", "refreshed", "refresh error",
      "refresh failure", "revocation request", "revocation answer", "long-lived request", "long-lived answer",
      "lookup request", "lookup answer",
    ]
    for section in exchange.sections { #expect((once + perhaps).contains(section.name), "\(section.name)") }
    for section in once { #expect(exchange.sections(section).count == 1, "\(section)") }
  }

  @Test(arguments: catalog)
  func theSignIn(name: String) async throws {
    let replay = ExchangeReplay(try Exchange(name))
    #expect(try await replay.begin().url == replay.exchange.section("authorize"))
    let grant = try await replay.signIn()
    let requests = replay.signInRequests.flatMap(replay.exchange.sections)
    #expect(replay.server.requests.map(\.written) == requests && requests.count == replay.signInCount)
    #expect(grant.written == replay.exchange.section("account"))
  }

  @Test(arguments: catalog)
  func theRejectedCode(name: String) async throws {
    let replay = ExchangeReplay(try Exchange(name))
    let failure = await failureOf { try await replay.signIn(answer: "token error") }
    #expect(failure?.written == replay.exchange.section("failure"))
  }

  @Test(arguments: catalog)
  func theCall(name: String) async throws {
    let replay = ExchangeReplay(try Exchange(name))
    _ = try await replay.signIn()
    if replay.exchange.section("call answer") != nil { try replay.prepare("call answer") } else { replay.server.add(body: "{}") }
    let answer = try await replay.call()
    #expect(replay.server.requests.dropFirst(replay.signInCount).map(\.written) == replay.exchange.sections("call request"))
    #expect(answer.written == replay.exchange.section("call result") ?? "status: 200")
  }

  @Test(arguments: catalog.filter { (try? Exchange($0).section("dead token answer")) != nil })
  func theExpiredTokenIsReplacedAndTheCallRepeated(name: String) async throws {
    let replay = ExchangeReplay(try Exchange(name))
    _ = try await replay.signIn()
    try replay.prepare("dead token answer")
    try replay.prepare("refresh answer")
    replay.server.add(body: "{}")
    #expect(try await replay.call().refreshed)
    #expect(replay.server.requests.count == replay.signInCount + 3)
    #expect(replay.server.requests[replay.signInCount + 1].written == replay.exchange.section("refresh request"))
  }

  @Test(arguments: catalog.filter { (try? Exchange($0).section("refresh request")) != nil })
  func theRefresh(name: String) async throws {
    let replay = ExchangeReplay(try Exchange(name))
    _ = try await replay.signIn()
    try replay.prepare("refresh answer")
    _ = try await replay.accounts.refresh("a", validity: 60, force: true, requestID: nil)
    #expect(replay.server.requests.last?.written == replay.exchange.section("refresh request"))
    #expect(try replay.grant.written == replay.exchange.section("refreshed"))
  }

  @Test(arguments: catalog.filter { (try? Exchange($0).section("refresh error")) != nil })
  func theRejectedRefresh(name: String) async throws {
    let replay = ExchangeReplay(try Exchange(name))
    _ = try await replay.signIn()
    try replay.prepare("refresh error")
    let failure = await failureOf { try await replay.accounts.refresh("a", validity: 60, force: true, requestID: nil) }
    #expect(failure?.written == replay.exchange.section("refresh failure"))
  }

  /// Without a documented revocation nothing is sent, and the result is `unsupported`.
  @Test(arguments: catalog)
  func theRevocation(name: String) async throws {
    let replay = ExchangeReplay(try Exchange(name))
    _ = try await replay.signIn()
    let requests = replay.exchange.sections("revocation request")
    for _ in requests {
      let isDocumented = replay.exchange.section("revocation answer") != nil
      if isDocumented { try replay.prepare("revocation answer") } else { replay.server.add(body: "") }
    }
    #expect(try await replay.accounts.revoke("a", requestID: nil).remote == (requests.isEmpty ? .unsupported : .revoked))
    #expect(replay.server.requests.dropFirst(replay.signInCount).map(\.written) == requests)
  }
}
