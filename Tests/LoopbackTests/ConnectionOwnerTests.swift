import TestSupport
import Testing

@testable import Loopback
@testable import OAuthCore
@testable import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct ConnectionOwnerTests {
  @Test func theKernelNamesTheOwner() throws {
    let socket = try LoopbackSocket(isIPv6: false, port: 0)
    defer { socket.end() }
    let client = try #require(LoopbackBrowser(port: socket.port).connected())
    let connection = try socket.accept()
    defer { close(connection) }
    #expect(ConnectionOwner.ofPeer(connection) == .user(getuid()))
    close(client)
    // The kernel lists it as root's now.
    #expect(ConnectionOwner.ofPeer(connection) == .gone)
    #expect(!ConnectionOwner.gone.isServed)
  }

  @Test func theOwnUserAndRootAreServed() {
    #expect(ConnectionOwner.user(getuid()).isServed && ConnectionOwner.user(0).isServed && ConnectionOwner.unknown.isServed)
    #expect(!ConnectionOwner.user(getuid() + 1).isServed)
  }

  @Test(arguments: [LoopbackAddress.Host.ipv4, .ipv6])
  func ourOwnConnectionIsOurs(_ host: LoopbackAddress.Host) async throws {
    let seen = LogRecorder()
    let listener = try LoopbackListener.open(LoopbackAddress(host: host, path: "/cb"), log: seen) { _ in
      .page(ResultPage(.succeeded(account: "", provider: "")))
    }
    defer { listener.close() }
    let browser = LoopbackBrowser(port: listener.port, family: host == .ipv6 ? AF_INET6 : AF_INET)
    #expect(await browser.get("/cb?state=x", host: host.rawValue)?.status == 200)
    #expect(seen.all == [])
  }

  @Test(arguments: [(ConnectionOwner.user(getuid() + 1), 0), (.user(0), 200), (.unknown, 200), (.gone, 0)])
  func anotherUserGetsNoAnswer(_ owner: ConnectionOwner, status: Int) async throws {
    let seen = LogRecorder()
    let listener = try LoopbackListener.open(LoopbackAddress(path: "/cb"), ownerOf: { _ in owner }, log: seen) { _ in
      .page(ResultPage(.succeeded(account: "", provider: "")))
    }
    defer { listener.close() }
    #expect(await LoopbackBrowser(port: listener.port).get("/cb?state=x")?.status == status)
    let expected: [String] =
      switch owner {
      case .unknown: ["a connection to the redirect address of a sign-in was served, although its user is unknown"]
      case .user(0), .gone: []
      case .user(let id): ["a connection from the user \(id) to the redirect address of a sign-in was rejected"]
      }
    #expect(seen.all.map(\.text) == expected)
  }
}
