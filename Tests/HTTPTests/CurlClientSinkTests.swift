import Synchronization
import TestSupport
import Testing

@testable import HTTP
@testable import OAuthCore
@testable import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The body's destination: memory with a limit, a file that is complete or absent, or a consumer that may be slow.
@Suite struct CurlClientSinkTests {
  let client = CurlClient(version: "1.2.3", environment: { _ in nil })
  /// A megabyte of zeros in gzip.
  private let bomb =
    [UInt8](hexDigits: "1f8b0800000000000203edc13101000000c2a0f54f6d085fa0") + [UInt8](repeating: 0, count: 1016)
    + [UInt8](hexDigits: "3e031cea38a700001000")

  @Test(arguments: [(10, true), (9, false)])
  func aBodyInMemoryHasALimit(maxBytes: Int, fits: Bool) async throws {
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789")
    defer { server.stop() }
    var request = HTTPRequest(method: "GET", url: server.url)
    request.maxBytes = maxBytes
    if fits {
      #expect(try await client.send(request).body.count == 10)
    } else {
      await #expect(throws: HTTPFailure.tooLarge(maxBytes: 9)) { try await client.send(request) }
    }
  }

  /// A kilobyte of gzip that decompresses to a megabyte.
  @Test func aDecompressionBombIsCaught() async throws {
    let server = try RawServer { [bomb] connection in
      _ = connection.request()
      connection.write("HTTP/1.1 400 Bad\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
      connection.write(bomb)
    }
    defer { server.stop() }
    var request = HTTPRequest(method: "GET", url: server.url)
    request.maxBytes = (1 << 20) - 1
    await #expect(throws: HTTPFailure.tooLarge(maxBytes: (1 << 20) - 1)) { try await client.send(request) }
    request.maxBytes = 1 << 20
    #expect(try await client.send(request).body == [UInt8](repeating: 0, count: 1 << 20))
  }

  @Test func aStreamThatPausesGetsEachDecodedByteOnce() async throws {
    let server = try RawServer { [bomb] connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
      connection.write(bomb)
    }
    defer { server.stop() }
    let received = Mutex((bytes: 0, asked: 0))
    var request = HTTPRequest(method: "GET", url: server.url)
    request.sink = .stream { offset, piece in
      received.withLock { received in
        received.asked += 1
        guard received.asked % 3 == 0, offset == received.bytes else { return false }
        received.bytes += piece.count
        return true
      }
    }
    #expect(try await client.send(request).bytes == 1 << 20)
    #expect(received.withLock { $0.bytes } == 1 << 20)
  }

  /// It counts as a whole from its first piece on.
  @Test func aBodyWaitsUntilItMayBeReceived() async throws {
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
    defer { server.stop() }
    let asked = Mutex(0)
    var request = HTTPRequest(method: "GET", url: server.url)
    request.mayReceive = { bytes in
      asked.withLock { asked in
        asked += 1
        return asked > 3 && bytes == 3
      }
    }
    #expect(try await client.send(request).body == Array("abc".utf8))
    #expect(asked.withLock { $0 } > 3)
  }

  /// A replaced file keeps its permissions. A new file is readable and writable only by its owner.
  @Test(arguments: [0o644, 0o660, 0o600, nil] as [mode_t?])
  func aFileKeepsItsMode(mode: mode_t?) async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/saved"
    if let mode {
      _ = folder.write("saved", [1])
      chmod(path, mode)
    }
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nnew")
    defer { server.stop() }
    var request = HTTPRequest(method: "GET", url: server.url)
    request.sink = .file(path: path, overwrites: true)
    _ = try await client.send(request)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == mode ?? 0o600)
    #expect(folder.read("saved") == Array("new".utf8))
  }

  @Test func aFileGetsItsNameWhenComplete() async throws {
    let folder = try TemporaryFolder()
    let during = Mutex<[String]>([])
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n")
      connection.write([UInt8](repeating: 1, count: 100_000))
      let names = folder.names
      during.withLock { $0 = names }
      connection.write([UInt8](repeating: 2, count: 100_000))
    }
    defer { server.stop() }
    var request = HTTPRequest(method: "GET", url: server.url)
    request.sink = .file(path: "\(folder.path)/saved")
    // `maxBytes` does not limit a file's size.
    request.maxBytes = 10
    let response = try await client.send(request)
    #expect(response.body.isEmpty)
    #expect(response.bytes == 200_000)
    #expect(folder.names == ["saved"])
    #expect(folder.read("saved") == [UInt8](repeating: 1, count: 100_000) + [UInt8](repeating: 2, count: 100_000))
    #expect(folder.mode("saved") == 0o600)
    let names = during.withLock { $0 }
    #expect(names.count == 1 && names[0].hasSuffix(".part"))
  }

  @Test func anEmptyAnswerMakesAnEmptyFileAndAnOldOneIsReplaced() async throws {
    let folder = try TemporaryFolder()
    let path = folder.write("saved", [1, 2, 3])
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    defer { server.stop() }
    var request = HTTPRequest(method: "GET", url: server.url)
    request.sink = .file(path: path, overwrites: true)
    #expect(try await client.send(request).bytes == 0)
    #expect(folder.read("saved") == [])
    #expect(folder.names == ["saved"])
  }

  @Test func aBrokenTransferLeavesTheOldFileAndNothingElse() async throws {
    let folder = try TemporaryFolder()
    let path = folder.write("saved", [1, 2, 3])
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc")
    }
    defer { server.stop() }
    var request = HTTPRequest(method: "GET", url: server.url)
    request.sink = .file(path: path, overwrites: true)
    await #expect(throws: HTTPFailure.network(host: "127.0.0.1", cause: "broken", answered: true)) { try await client.send(request) }
    #expect(folder.read("saved") == [1, 2, 3])
    #expect(folder.names == ["saved"])
  }

  @Test(arguments: [404, 302, 500])
  func anyOtherStatusGoesToMemory(status: Int) async throws {
    let folder = try TemporaryFolder()
    let server = try RawServer(response: "HTTP/1.1 \(status) No\r\nContent-Length: 3\r\n\r\nwhy")
    defer { server.stop() }
    var request = HTTPRequest(method: "GET", url: server.url)
    request.sink = .file(path: "\(folder.path)/saved")
    #expect(try await client.send(request).body == Array("why".utf8))
    #expect(folder.names == [])
    request.sink = .stream { _, _ in false }
    #expect(try await client.send(request).body == Array("why".utf8))
  }

  @Test func aFileThatCannotBeWrittenIsFoundBeforeAnythingIsSent() async throws {
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    defer { server.stop() }
    var request = HTTPRequest(method: "POST", url: server.url)
    request.sink = .file(path: "/nowhere/at/all")
    await #expect(throws: HTTPFailure.file(path: "/nowhere/at/all", reason: "no such file or directory")) { try await client.send(request) }
    request.sink = .memory
    request.body = .file(path: "/nowhere")
    await #expect(throws: HTTPFailure.file(path: "/nowhere", reason: "no such file or directory")) { try await client.send(request) }
    request.body = .file(path: "/tmp")
    await #expect(throws: HTTPFailure.file(path: "/tmp", reason: "not a regular file")) { try await client.send(request) }
    #expect(server.connections == 0)
  }

  @Test func aSlowTakerIsAskedAgainForTheSamePiece() async throws {
    let whole = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(whole.count)\r\n\r\n")
      connection.write(whole)
    }
    defer { server.stop() }
    struct Taken {
      var bytes: [UInt8] = []
      var rejected: (offset: Int, piece: [UInt8])?
      var rejections = 0
      var changed = 0
    }
    let taken = Mutex(Taken())
    var request = HTTPRequest(method: "GET", url: server.url)
    request.maxBytes = 10
    request.sink = .stream { offset, piece in
      taken.withLock { taken in
        if let rejected = taken.rejected, rejected.offset != offset || rejected.piece != piece { taken.changed += 1 }
        if offset != taken.bytes.count { taken.changed += 1 }
        // Rejects the first offer of every tenth piece, and the very first piece twice.
        if taken.rejected == nil ? taken.bytes.count / 16384 % 10 == 0 : taken.rejections == 1 {
          taken.rejected = (offset, piece)
          taken.rejections += 1
          return false
        }
        taken.rejected = nil
        taken.bytes += piece
        return true
      }
    }
    let response = try await client.send(request)
    #expect(response.bytes == whole.count)
    #expect(response.body.isEmpty)
    let (bytes, rejections, changed) = taken.withLock { ($0.bytes, $0.rejections, $0.changed) }
    #expect(bytes == whole)
    #expect(rejections >= 4)
    #expect(changed == 0)
  }

  @Test func aTakerThatNeverTakesIsAskedUntilTheSecondsRunOut() async throws {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
      connection.write([UInt8](repeating: 0, count: 100_000_000))
    }
    defer { server.stop() }
    let offers = Mutex<[Int]>([])
    // The seconds have run out with the third offer, however busy the machine is.
    let clock = Clock(
      milliseconds: Clock.system.milliseconds, uptime: { Clock.system.uptime() + (offers.withLock { $0.count } < 3 ? 0 : 600_000) },
      schedule: Clock.system.schedule)
    let client = CurlClient(version: "1.2.3", clock: clock, environment: { _ in nil })
    var request = HTTPRequest(method: "GET", url: server.url)
    request.timeout = 600
    request.sink = .stream { offset, _ in
      offers.withLock { $0.append(offset) }
      return false
    }
    let began = Clock.system.uptime()
    await #expect(throws: HTTPFailure.timedOut(host: "127.0.0.1")) { try await client.send(request) }
    let asked = offers.withLock { $0 }
    // It is asked again and again, but every 20 ms at most.
    #expect((3...(Clock.system.uptime() - began) / 20 + 2).contains(asked.count))
    #expect(asked.allSatisfy { $0 == 0 })
  }

  @Test func progressIsReportedAtMostTenTimesASecond() async throws {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n")
      for _ in 1...60 {
        connection.write("x")
        connection.pause(milliseconds: 10)
      }
    }
    defer { server.stop() }
    let told = Mutex<[(sent: Int, received: Int, total: Int?)]>([])
    var request = HTTPRequest(method: "POST", url: server.url, body: .bytes([1, 2, 3, 4]))
    request.progress = { sent, received, total in told.withLock { $0.append((sent, received, total)) } }
    let began = Clock.system.uptime()
    _ = try await client.send(request)
    let tenths = (Clock.system.uptime() - began) / 100
    let all = told.withLock { $0 }
    #expect((2...tenths + 1).contains(all.count))
    #expect(all.last?.sent == 4)
    #expect(all.last?.total == 60)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.received <= $1.received })
  }
}
