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
  /// Returns the kernel's reply about a socket: nlmsghdr and inet_diag_msg.
  private func reply(type: UInt8 = 20, state: UInt8 = 1, user: UInt8, inode: UInt8) -> [UInt8] {
    var reply = [UInt8](repeating: 0, count: 88)
    (reply[4], reply[17], reply[80], reply[84]) = (type, state, user, inode)
    return reply
  }

  @Test func theKernelNamesTheOwner() {
    #expect(ConnectionOwner.owner(in: reply(user: 101, inode: 42)) == .user(101))
    // There is no such socket, or only one that listens on the same port.
    #expect(ConnectionOwner.owner(in: reply(type: 2, user: 101, inode: 42)) == .unknown)
    #expect(ConnectionOwner.owner(in: reply(state: 10, user: 101, inode: 42)) == .unknown)
    #expect(ConnectionOwner.owner(in: []) == .unknown)
  }

  /// After the owner closes the connection, the kernel lists it as root's.
  @Test func aConnectionWithoutAProcessHasNoOwner() {
    #expect(ConnectionOwner.owner(in: reply(state: 4, user: 0, inode: 0)) == .gone)
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
    let expected: [LogMessage] =
      switch owner {
      case .unknown: [.connectionUserUnknown]
      case .user(0), .gone: []
      case .user(let id): [.connectionRejected(user: Int(id))]
      }
    #expect(seen.all == expected)
  }
}
