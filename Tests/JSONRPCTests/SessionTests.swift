import JSONRPC
import Testing

@Suite struct SessionTests {
  @Test func onlyExitAndCancellationsFollowShutdown() async throws {
    let peer = PipePeer()
    #expect(peer.bench.session.exitStatus == 1)
    peer.request("1", "wait")
    peer.request("2", "get_data")
    peer.request("3", "shutdown")
    #expect(peer.bench.session.exitStatus == 0)
    peer.request("4", "get_data")
    peer.request("5", "shutdown")
    peer.request("6", "sum")
    peer.notify("notify_hello", "[1]")
    peer.notify("$/cancelRequest", #"{"id":1}"#)
    #expect(
      try await peer.finish().sorted() == [
        "1 -32800", #"2 {"value":["hello",5]}"#, "3 null", "4 -32600", "5 -32600", "6 -32600",
      ])
    #expect(peer.bench.log == ["wait"])
  }

  @Test func silentCancellationsAreHeardToo() async throws {
    let peer = PipePeer()
    peer.request("1", "wait")
    peer.request("2", "shutdown")
    peer.notify("notifications/cancelled", #"{"requestId":1}"#)
    #expect(try await peer.finish() == ["2 null"])
  }

  @Test func initializingCountsOnce() {
    let session = Session()
    #expect(session.initialize())
    #expect(!session.initialize())
    #expect(session.exitStatus == 1)
  }
}
