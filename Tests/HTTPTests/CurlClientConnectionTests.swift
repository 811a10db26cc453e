import Synchronization
import TestSupport
import Testing

@testable import HTTP
@testable import OAuthCore
@testable import Platform

/// Which connections requests use, and how often requests are sent.
@Suite struct CurlClientConnectionTests {
  private let client = CurlClient(version: "1.2.3", environment: { _ in nil })

  /// Returns a server that answers in rounds: it answers after all requests of a round have arrived.
  private func server(inRoundsOf size: Int, _ arrived: Arrivals) throws -> RawServer {
    try RawServer { connection in
      while connection.request() != nil {
        let number = arrived.add()
        while arrived.count < (number + size - 1) / size * size { connection.pause(milliseconds: 1) }
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
    }
  }

  @Test func asManyConnectionsAreKeptAsAreInUse() async throws {
    let server = try server(inRoundsOf: 40, Arrivals())
    defer { server.stop() }
    let url = server.url
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...40 {
        group.addTask { [client] in
          for _ in 1...8 { _ = try await client.send(HTTPRequest(method: "GET", url: url)) }
        }
      }
      try await group.waitForAll()
    }
    #expect(server.requests.count == 320)
    #expect(server.connections == 40)
  }
}

/// Counts requests from several threads.
private final class Arrivals: Sendable {
  private let number = Mutex(0)

  var count: Int { number.withLock { $0 } }

  func add() -> Int {
    number.withLock {
      $0 += 1
      return $0
    }
  }
}
