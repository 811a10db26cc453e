import JSONRPC
import Jansson
import Testing

@Suite struct BatchTests {
  @Test func theArrayComesWhenTheLastIsDone() async throws {
    let peer = PipePeer()
    peer.send(#"[{"jsonrpc":"2.0","id":1,"method":"wait"},{"jsonrpc":"2.0","id":2,"method":"get_data"}]"#)
    peer.request("3", "get_data")
    peer.bench.output.flush()
    peer.bench.open()
    #expect(try await peer.finish() == [#"3 {"value":["hello",5]}"#, #"[1 {} 2 {"value":["hello",5]}]"#])
  }

  @Test func oneIdTwiceInABatch() async throws {
    let peer = PipePeer()
    peer.send(#"[{"jsonrpc":"2.0","id":1,"method":"wait"},{"jsonrpc":"2.0","id":1,"method":"wait"}]"#)
    peer.bench.open()
    #expect(try await peer.finish() == ["[1 {} null -32600]"])
  }

  @Test func whatIsCancelledSilentlyIsLeftOutOfTheArray() async throws {
    let batch = #"[{"jsonrpc":"2.0","id":1,"method":"wait"},{"jsonrpc":"2.0","id":2,"method":"get_data"}]"#
    let peer = PipePeer()
    peer.send(batch)
    peer.notify("notifications/cancelled", #"{"requestId":1}"#)
    #expect(try await peer.finish() == [#"[2 {"value":["hello",5]}]"#])
    let other = PipePeer()
    other.send(#"[{"jsonrpc":"2.0","id":1,"method":"wait"},{"jsonrpc":"2.0","method":"notify_hello","params":[1]}]"#)
    other.notify("notifications/cancelled", #"{"requestId":1}"#)
    #expect(try await other.finish() == [])
  }

  @Test func aBatchMayCancelItsOwnElement() async throws {
    #expect(
      try await answers(
        to: #"[{"jsonrpc":"2.0","id":1,"method":"wait"},{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}]"#)
        == ["[1 -32800]"])
  }

  @Test func answersAndOtherThingsInABatch() async throws {
    #expect(
      try await answers(to: #"[{"jsonrpc":"2.0","id":1,"result":{}},[],{},{"jsonrpc":"2.0","id":null,"method":"get_data"}]"#)
        == [#"[null -32600 null -32600 null {"value":["hello",5]}]"#])
  }

  @Test func aBatchIsAnsweredInItsFraming() async throws {
    let peer = PipePeer()
    peer.sendRaw(framed(#"[{"jsonrpc":"2.0","id":1,"method":"get_data"}]"#))
    let frames = try await peer.finishFrames().map(\.short)
    #expect(frames == [#"h:[{"jsonrpc":"2.0","id":1,"result":{"value":["hello",5]}}]"#])
  }
}
