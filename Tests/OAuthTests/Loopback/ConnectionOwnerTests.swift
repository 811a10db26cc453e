import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct ConnectionOwnerTests {
  private let table = Array(
    """
      sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
       0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41 1 0 100 0 0 10 0
       1: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 42 1 0 20 4 30 10 -1
       2: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 43 1 0 20 4 30 10 -1
       3: 0100007F:C351 0100007F:1F90 06 00000000:00000000 03:00001770 00000000     0        0 0 3 0

    """.utf8)

  @Test func theLineOfTheOtherEndNamesTheOwner() {
    #expect(ConnectionOwner.owner(in: table, local: "0100007F:C350", remote: "0100007F:1F90") == .user(1001))
    #expect(ConnectionOwner.owner(in: table, local: "0100007F:1F90", remote: "0100007F:C350") == .user(1000))
    #expect(ConnectionOwner.owner(in: table, local: "0100007F:C352", remote: "0100007F:1F90") == .unknown)
    #expect(ConnectionOwner.owner(in: [], local: "0100007F:C350", remote: "0100007F:1F90") == .unknown)
  }

  /// After the owner closes the connection, the table lists it as root's.
  @Test func aConnectionWithoutAProcessHasNoOwner() {
    #expect(ConnectionOwner.owner(in: table, local: "0100007F:C351", remote: "0100007F:1F90") == .gone)
    #expect(!ConnectionOwner.gone.isServed)
  }

  @Test func theOwnUserAndRootAreServed() {
    #expect(ConnectionOwner.user(getuid()).isServed && ConnectionOwner.user(0).isServed && ConnectionOwner.unknown.isServed)
    #expect(!ConnectionOwner.user(getuid() + 1).isServed)
  }

  @Test(arguments: [LoopbackAddress.Host.ipv4, .ipv6])
  func ourOwnConnectionIsOurs(_ host: LoopbackAddress.Host) async throws {
    let seen = LogRecorder()
    let listener = try LoopbackListener.open(LoopbackAddress(host: host, path: "/cb"), log: seen.add) { _ in
      .page(ResultPage(.succeeded(account: "", provider: "")))
    }
    defer { listener.close() }
    let browser = LoopbackBrowser(port: listener.port, family: host == .ipv6 ? AF_INET6 : AF_INET)
    #expect(await browser.get("/cb?state=x", host: host.rawValue)?.status == 200)
    #expect(seen.all == [])
  }

  @Test(arguments: [(ConnectionOwner.user(getuid() + 1), 403), (.user(0), 200), (.unknown, 200), (.gone, 403)])
  func anotherUserIsRejected(_ owner: ConnectionOwner, status: Int) async throws {
    let seen = LogRecorder()
    let listener = try LoopbackListener.open(LoopbackAddress(path: "/cb"), ownerOf: { _ in owner }, log: seen.add) { _ in
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
