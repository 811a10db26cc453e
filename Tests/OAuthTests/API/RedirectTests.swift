import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// Redirects, checked hop by hop.
struct RedirectTests {
  @Test func theCredentialStaysWithAllowedHosts() async throws {
    let stage = try await CallStage()
    for next in ["https://img.cdn.example/a", "https://evil.example/b", "/c"] { stage.redirect(to: next) }
    stage.server.add(body: "ok")
    let response = try await stage.call { request in
      request.headers = NamedValues([
        ("Cookie", "c=1"), ("X-Mine", "1"), ("Proxy-Authorization", "p"), ("X-Vault-Token", "t"), ("Api-Key", "k"),
      ])
    }
    #expect(response.status == 200 && response.attempts == 1)
    #expect(
      stage.urls == [
        "https://api.example/v1/items", "https://img.cdn.example/a", "https://evil.example/b", "https://evil.example/c",
      ])
    #expect(stage.credentials == ["Bearer access-1", "Bearer access-1", nil, nil])
    for (name, value) in [("Cookie", "c=1"), ("Proxy-Authorization", "p"), ("X-Vault-Token", "t"), ("Api-Key", "k")] {
      #expect(stage.server.requests.map { $0.header(name) } == [value, nil, nil, nil])
    }
    #expect(stage.server.requests.allSatisfy { $0.header("X-Mine") == "1" })
  }

  @Test func anAllowedHostGetsTheHeadersOfTheDescription() async throws {
    let stage = try await CallStage(apiHeaders: ["X-Api-Key": "key-1"])
    stage.redirect(to: "https://img.cdn.example/a")
    stage.server.add(body: "ok")
    _ = try await stage.call()
    #expect(stage.server.requests.map { $0.header("X-Api-Key") } == ["key-1", "key-1"])
  }

  /// The foreign host has chosen the path, so the token is not sent there. A 401 from there proves nothing about the token.
  @Test(arguments: ["https://api.example/v1/delete-all", "https://img.cdn.example/x"])
  func aDroppedCredentialNeverReturns(back: String) async throws {
    let stage = try await CallStage(apiHeaders: ["X-Api-Key": "key-1"])
    stage.redirect(to: "https://evil.example/a")
    stage.redirect(to: back)
    stage.redirect(to: "/again")
    stage.server.add(status: 401, body: "no")
    let response = try await stage.call { request in
      request.headers = NamedValues([("Cookie", "c=1"), ("Proxy-Authorization", "p")])
    }
    #expect(response.status == 401 && response.refreshed == false)
    #expect(stage.server.requests.count == 4)
    #expect(stage.credentials == ["Bearer access-1", nil, nil, nil])
    for name in ["Cookie", "Proxy-Authorization", "X-Api-Key"] {
      #expect(stage.server.requests.dropFirst().allSatisfy { $0.header(name) == nil })
    }
  }

  @Test(arguments: [
    "http://127.0.0.1:8080/", "https://localhost/", "http://[::1]/", "https://127.1/", "https://0.0.0.0/", "https://[::ffff:127.0.0.1]/",
    "https://10.0.0.1/",
    "https://192.168.1.1/", "https://169.254.169.254/latest", "https://[fe80::1]/", "http://evil.example/", "http://api.example/",
    "ftp://api.example/", "file:///etc/passwd", "javascript:alert(1)",
  ])
  func someLeadNowhere(location: String) async throws {
    let stage = try await CallStage()
    stage.redirect(to: location)
    let failure = await failureOf { try await stage.call() }
    #expect(failure?.kind == .hostNotAllowed)
    #expect(stage.server.requests.count == 1)
  }

  @Test func thisMachineMayRedirectToItself() async throws {
    let stage = try await CallStage()
    stage.redirect(to: "http://127.0.0.1:81/b")
    stage.server.add(body: "ok")
    #expect(try await stage.call("http://127.0.0.1:80/a").status == 200)
    #expect(stage.credentials == ["Bearer access-1", "Bearer access-1"])
  }

  @Test func aPrivateNetworkMayRedirectWithinItself() async throws {
    let stage = try await CallStage(with: [.init("apiHosts", ["192.168.1.1"])])
    stage.redirect(to: "https://192.168.1.2/b")
    stage.server.add(body: "ok")
    #expect(try await stage.call("https://192.168.1.1/a").status == 200)
    stage.redirect(to: "https://127.0.0.1/b")
    #expect(await failureOf { try await stage.call("https://192.168.1.1/a") }?.kind == .hostNotAllowed)
  }

  /// A host that the description names may have any address. Another host must be within the scope of the server that names it.
  @Test func whereARedirectMayConnect() async throws {
    let stage = try await CallStage()
    for next in ["https://evil.example/a", "https://api.example/b"] { stage.redirect(to: next) }
    stage.server.add(body: "ok")
    _ = try await stage.call()
    #expect(stage.server.requests.map(\.scopeLimit) == [.thisMachine, .publicNetwork, .thisMachine])
  }

  @Test func tenHopsAreTheMost() async throws {
    let stage = try await CallStage()
    for hop in 1...10 { stage.redirect(to: "/\(hop)") }
    stage.server.add(body: "ok")
    #expect(try await stage.call().status == 200)
    for hop in 1...11 { stage.redirect(to: "/\(hop)") }
    let failure = await failureOf { try await stage.call() }
    #expect(failure?.kind == .networkFailure && failure?["cause"] == "redirects")
    #expect(stage.server.requests.count == 22)
  }

  @Test(arguments: [
    (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"), (307, "POST", "POST"),
    (308, "POST", "POST"), (301, "PUT", "PUT"), (302, "DELETE", "DELETE"),
  ])
  func methodsChangeAsBrowsersDo(status: Int, method: String, next: String) async throws {
    let stage = try await CallStage()
    stage.redirect(status, to: "/next")
    stage.server.add(body: "")
    _ = try await stage.call { request in
      request.method = method
      request.body = method == "HEAD" ? nil : .text("hello")
    }
    let request = try #require(stage.server.requests.last)
    #expect(request.method == next)
    #expect(request.text == (next == method && method != "HEAD" ? "hello" : ""))
    #expect((request.header("Content-Type") == nil) == (next != method || method == "HEAD"))
  }

  @Test func aRedirectWithoutAPlaceIsAResponse() async throws {
    let stage = try await CallStage()
    stage.server.add(status: 304, headers: [HTTPHeader("Location", "https://evil.example/")], body: "")
    stage.server.add(status: 302, body: "x")
    #expect(try await stage.call().status == 304)
    #expect(try await stage.call().status == 302)
    stage.redirect(to: "https://a b/")
    #expect(await failureOf { try await stage.call() }?["cause"] == "redirects")
  }

  /// A 401 from a host that never received the token proves nothing about it.
  @Test func a401FromAForeignHostRefreshesNothing() async throws {
    let stage = try await CallStage()
    stage.redirect(to: "https://evil.example/")
    stage.server.add(status: 401, body: "")
    #expect(try await stage.call().status == 401)
    #expect(stage.server.requests.count == 2)
  }

  private func userInfo(_ stage: CallStage, redirectedTo location: String) async throws -> Accounts {
    try await stage.stage.keep { grant in
      grant.provider = .object(Stage.provider + [.init("userInfoEndpoint", "https://id.example/me")])
    }
    stage.redirect(to: location)
    stage.server.add(body: #"{"sub":"user-9"}"#)
    return stage.stage.accounts
  }

  /// Claims are trusted, so they must come from a host that may receive the token.
  @Test(arguments: ["https://evil.example/me", "https://id.example:8443/me"])
  func aForeignHostCannotSendClaims(location: String) async throws {
    let stage = try await CallStage()
    let accounts = try await userInfo(stage, redirectedTo: location)
    let failure = await failureOf { try await accounts.requestUserInfo(of: "a", requestID: nil) }
    #expect(failure?.kind == .hostNotAllowed)
    #expect(stage.urls == ["https://id.example/me"])
  }

  @Test(arguments: ["/v2/me", "https://img.cdn.example/me"])
  func claimsMayMoveToWhereTheTokenMayGo(location: String) async throws {
    let stage = try await CallStage()
    let accounts = try await userInfo(stage, redirectedTo: location)
    let response = try await accounts.requestUserInfo(of: "a", requestID: nil)
    #expect(try await accounts.userInfo(in: response, of: "a").subject == "user-9")
    #expect(stage.credentials == ["Bearer access-1", "Bearer access-1"])
  }
}
