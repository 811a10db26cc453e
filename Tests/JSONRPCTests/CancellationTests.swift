import JSONRPC
import Testing

@Suite struct CancellationTests {
  @Test func theNameMayBeEscaped() async throws {
    let peer = PipePeer()
    peer.request(#""a/b""#, "wait")
    peer.send(#"{"jsonrpc":"2.0","method":"$\/cancelRequest","params":{"id":"a\/b"}}"#)
    #expect(try await peer.finish() == [#""a/b" -32800"#])
  }

  @Test func aCancelledRequestThatFinishesReturnsItsResult() async throws {
    let peer = PipePeer()
    peer.request("1", "stubborn")
    peer.notify("$/cancelRequest", #"{"id":1}"#)
    #expect(try await peer.finish() == [#"1 {"value":"done"}"#])
  }

  @Test func aSilentCancellationIsSilent() async throws {
    let peer = PipePeer()
    peer.request("1", "wait")
    peer.request("2", "stubborn")
    peer.request("3", "wait")
    peer.notify("notifications/cancelled", #"{"requestId":1}"#)
    peer.notify("notifications/cancelled", #"{"requestId":2}"#)
    peer.notify("$/cancelRequest", #"{"id":3}"#)
    #expect(try await peer.finish() == ["3 -32800"])
  }

  @Test func theFirstCancellationCounts() async throws {
    let peer = PipePeer()
    peer.request("1", "wait")
    peer.notify("$/cancelRequest", #"{"id":1}"#)
    peer.notify("notifications/cancelled", #"{"requestId":1}"#)
    #expect(try await peer.finish() == ["1 -32800"])
  }

  @Test func onlyTheSameIdIsCancelled() async throws {
    let peer = PipePeer()
    peer.request("2", "wait")
    for id in ["\"2\"", "3", "null", "1.5", "true"] { peer.notify("$/cancelRequest", #"{"id":\#(id)}"#) }
    peer.request("9", "get_data")
    peer.bench.open()
    #expect(try await peer.finish().sorted() == ["2 {}", #"9 {"value":["hello",5]}"#])
  }

  @Test func aCancellationMayBeARequestItself() async throws {
    let peer = PipePeer()
    peer.request("1", "wait")
    peer.request("2", "$/cancelRequest", #"{"id":1}"#)
    #expect(try await peer.finish().sorted() == ["1 -32800", "2 {}"])
  }

  @Test func nullIdsMayBeInFlightTogether() async throws {
    let peer = PipePeer()
    peer.request("null", "wait")
    peer.request("null", "wait")
    peer.bench.open()
    #expect(try await peer.finish() == ["null {}", "null {}"])
  }

  @Test func endingCancelsAllAndAnswersIt() async throws {
    let peer = PipePeer()
    peer.request("1", "wait")
    peer.request("2", "stubborn")
    peer.notify("wait", "{}")
    peer.bench.session.beginEnding()
    peer.bench.session.cancelAll()
    // A request that arrives afterwards is cancelled as soon as it begins.
    peer.request("3", "wait")
    #expect(try await peer.finish().sorted() == ["1 -32000", #"2 {"value":"done"}"#, "3 -32000"])
  }

  @Test func waitingGivesUpInTime() async throws {
    let peer = PipePeer()
    peer.request("1", "wait")
    let session = peer.bench.session
    #expect(await blocking { !session.waitUntilNone(milliseconds: 50) })
    peer.bench.open()
    #expect(try await peer.finish() == ["1 {}"])
    #expect(await blocking { session.waitUntilNone(milliseconds: 0) })
  }

  @Test func theLastAnswerIsQueuedBeforeTheWaitEnds() async throws {
    // The large answer leaves time between the end of the work and the moment the answer is queued.
    for _ in 0..<10 {
      let peer = PipePeer()
      peer.request("1", "large", "[4000000]")
      let bytes = await blocking {
        while !peer.bench.session.waitUntilNone(milliseconds: 0) {}
        peer.bench.output.flush()
        return peer.pipe.finish()
      }
      #expect(bytes.count > 4_000_000)
    }
  }
}
