import OAuthCore
import Platform
import Synchronization
import TestSupport
import Testing

@testable import Bridge

@Suite("Watch")
final class WatchTests: Sendable {
  private let clock = ManualClock()
  private let asked = Mutex(0)
  private let stopped = Promise<Void>()

  /// Begins a response of the kind, and returns what takes its pieces.
  private func begin(_ watch: Watch, isAlive: Bool) throws -> (reception: Reception, deliver: (Int, [UInt8]) -> Bool) {
    let reception = Reception(hasRoom: { true }) { _, _ in }
    var request = HTTPRequest(method: "POST", url: "https://example.com")
    reception.receive(&request)
    reception.stop { [stopped] in stopped.settle(.success(())) }
    reception.begin(200, [HTTPHeader("Content-Type", "text/event-stream")])
    watch.add(reception) { [self] in
      asked.withLock { $0 += 1 }
      return isAlive
    }
    guard case .stream(let deliver) = request.sink else { throw CancellationError() }
    return (reception, { deliver($0, $1) })
  }

  private func minutes(_ count: Int) async throws {
    for _ in 0..<count {
      try await clock.pauses(atLeast: 1)
      clock.advance(60)
    }
    try await clock.pauses(atLeast: 1)
  }

  @Test("Only a server that does not answer after five silent minutes ends a response", arguments: [true, false])
  func silent(isAlive: Bool) async throws {
    let (reception, _) = try begin(Watch(clock.clock), isAlive: isAlive)
    try await minutes(4)
    #expect(asked.withLock { $0 } == 0)
    try await minutes(1)
    #expect(asked.withLock { $0 } == 1 && reception.isGivenUp == !isAlive)
    if !isAlive { try await stopped.value() }
  }

  @Test("A comment is a sign of life")
  func comments() async throws {
    let (reception, deliver) = try begin(Watch(clock.clock), isAlive: false)
    for _ in 0..<3 {
      try await minutes(4)
      #expect(deliver(0, Array(": here\n\n".utf8)))
    }
    #expect(asked.withLock { $0 } == 0 && !reception.isGivenUp)
  }
}

@Suite("EventStream")
struct EventStreamTests {
  private static let text =
    "\u{FEFF}id: 1\r\nretry: 250\rdata: a\ndata:b\n\n: comment\nevent: other\ndata:  c\n\ndata\nid\n\nretry: x\ndata: lost"
  private static let events = [EventStream.Event(data: Array("a\nb".utf8)), .init(name: "other", data: Array(" c".utf8))]

  @Test("Pieces of any size make the same events", arguments: 1...40)
  func pieces(size: Int) {
    var stream = EventStream(limit: 1000)
    let bytes = Array(Self.text.utf8)
    var found: [EventStream.Event] = []
    for start in stride(from: 0, to: bytes.count, by: size) { found += stream.feed(Array(bytes[start..<min(start + size, bytes.count)])) }
    #expect(found == Self.events)
    // An empty id removes the last one. The event without an end does not count.
    #expect(stream.lastID == nil && stream.retry == 250 && !stream.hasDropped)
  }

  @Test("An event beyond the limit is dropped, and the next one is read")
  func limit() {
    var stream = EventStream(limit: 20)
    let found = stream.feed(Array("data: \(String(repeating: "x", count: 30))\n\nid: 2\ndata: y\n\n".utf8))
    #expect(found == [.init(data: Array("y".utf8))] && stream.hasDropped && stream.lastID == "2")
  }
}
