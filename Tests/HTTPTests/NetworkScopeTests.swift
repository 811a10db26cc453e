import TestSupport
import Testing

@testable import HTTP
@testable import OAuthCore
@testable import Platform

/// Network scopes of hosts, as written and as resolved.
struct NetworkScopeTests {
  private func scope(_ host: String) throws -> NetworkScope { NetworkScope(try URLParts("https://\(host)/")) }

  @Test(arguments: [
    "localhost", "localhost.", "a.localhost", "127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "0.0.0.0", "0", "[::1]", "[::]",
    "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[0000::1]", "127.0.0.1.", "[64:ff9b::7f00:1]", "10.1", "[::127.0.0.1]",
  ])
  func thisMachine(host: String) throws {
    #expect(try scope(host) == .thisMachine)
  }

  @Test(arguments: [
    "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "[fe80::1]", "[fd00::1]", "[fc12::1]",
    "[fec0::1]", "[::ffff:10.0.0.1]", "[64:ff9b::a00:1]", "[2002:c0a8:101::1]", "192.168.1.1.",
    "192.0.0.192", "192.88.99.1", "198.18.0.5", "198.19.255.255", "224.0.0.1", "240.0.0.9", "255.255.255.255", "[ff02::1]",
    "[2001:0:a09:807::f7f7:f7f7]", "[2001:0:808:808::f5f6:f7f8]",
  ])
  func privateNetworks(host: String) throws {
    #expect(try scope(host) == .privateNetwork)
  }

  @Test(arguments: [
    "api.example", "1.2.3.4", "[2001:db8::1]", "localhost.example", "127.example", "x1.example", "172.32.0.1", "192.169.0.1", "100.128.0.1",
    "[::ffff:8.8.8.8]", "[64:ff9b::808:808]", "[2002:808:808::1]", "192.0.1.1", "198.20.0.1", "223.255.255.1",
    "[2001:0:808:808::f7f7:f7f7]", "[2001:4860::1]", "10.example",
  ])
  func thePublicNetwork(host: String) throws {
    #expect(try scope(host) == .publicNetwork)
  }

  @Test func anAddressIsReadAsLibcurlPrintsIt() {
    #expect(NetworkScope(address: "192.168.1.1") == .privateNetwork)
    #expect(NetworkScope(address: "fe80::1") == .privateNetwork)
    #expect(NetworkScope(address: "2001:db8::1") == .publicNetwork)
    #expect(NetworkScope(address: "") == nil)
  }

  private func get(_ url: String, _ limit: NetworkScope, _ environment: [String: String] = [:]) async throws(HTTPFailure) -> HTTPResponse {
    var request = HTTPRequest(method: "GET", url: url)
    request.scopeLimit = limit
    return try await CurlClient(version: "1.2.3", environment: { environment[$0] }).send(request)
  }

  /// The transport resolves `localhost` like any other name.
  @Test(arguments: [NetworkScope.publicNetwork, .privateNetwork])
  func aNameThatResolvesFurtherInsideGetsNoConnection(limit: NetworkScope) async throws {
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    defer { server.stop() }
    let url = server.url.replacing("127.0.0.1", with: "localhost")
    await #expect(throws: HTTPFailure.outOfScope(host: "localhost")) { try await get(url, limit) }
    #expect(server.requests.isEmpty)
    let response = try await get(url, .thisMachine)
    #expect(response.status == 200 && response.scope == .thisMachine)
  }

  @Test func aKeptConnectionIsNoWayAround() async throws {
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    defer { server.stop() }
    let client = CurlClient(version: "1.2.3", environment: { _ in nil })
    var request = HTTPRequest(method: "GET", url: server.url.replacing("127.0.0.1", with: "localhost"))
    _ = try await client.send(request)
    request.scopeLimit = .publicNetwork
    let limited = request
    await #expect(throws: HTTPFailure.outOfScope(host: "localhost")) { try await client.send(limited) }
  }

  /// The proxy resolves the name, and its own address is often private.
  @Test(arguments: [
    ("https_proxy", "https://id.example", true), ("HTTPS_PROXY", "https://id.example", true), ("ALL_PROXY", "https://id.example", true),
    ("http_proxy", "https://id.example", false), ("https_proxy", "https://localhost", false),
  ])
  func behindAProxyAddressesSayNothing(name: String, url: String, isProxied: Bool) {
    #expect(CurlSettings(version: "1", environment: { $0 == name ? "http://proxy.example:3128" : nil }).usesProxy(url) == isProxied)
  }
}
