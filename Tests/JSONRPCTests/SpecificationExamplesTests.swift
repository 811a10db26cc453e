import Testing

/// Every example of section 7 of the JSON-RPC 2.0 specification. Results are inside an object, as in all methods of this project.
@Suite struct SpecificationExamplesTests {
  @Test func positionalParameters() async throws {
    #expect(try await answers(to: #"{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}"#) == [#"1 {"value":19}"#])
    #expect(try await answers(to: #"{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}"#) == [#"2 {"value":-19}"#])
  }

  @Test func namedParameters() async throws {
    let third = #"{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}"#
    let fourth = #"{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}"#
    #expect(try await answers(to: third, fourth) == [#"3 {"value":19}"#, #"4 {"value":19}"#])
  }

  @Test func aNotification() async throws {
    let peer = PipePeer()
    peer.send(#"{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}"#)
    peer.send(#"{"jsonrpc": "2.0", "method": "foobar"}"#)
    #expect(try await peer.finish() == [])
    #expect(peer.bench.log == ["update [1, 2, 3, 4, 5]"])
  }

  @Test func anUnknownMethod() async throws {
    #expect(try await answers(to: #"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#) == [#""1" -32601"#])
  }

  @Test func invalidJSON() async throws {
    #expect(try await answers(to: #"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#) == ["null -32700"])
  }

  @Test func anInvalidRequest() async throws {
    #expect(try await answers(to: #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#) == ["null -32600"])
  }

  @Test func aBatchOfInvalidJSON() async throws {
    // On one line, because a line end ends a message.
    let batch = #"[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"]"#
    #expect(try await answers(to: batch) == ["null -32700"])
  }

  @Test func anEmptyBatch() async throws {
    #expect(try await answers(to: "[]") == ["null -32600"])
  }

  @Test func anInvalidBatch() async throws {
    #expect(try await answers(to: "[1]") == ["[null -32600]"])
    #expect(try await answers(to: "[1,2,3]") == ["[null -32600 null -32600 null -32600]"])
  }

  @Test func aMixedBatch() async throws {
    let peer = PipePeer()
    let batch = """
      [
        {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
        {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
        {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
        {"foo": "boo"},
        {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
        {"jsonrpc": "2.0", "method": "get_data", "id": "9"}
      ]
      """
    peer.sendRaw(framed(batch))
    let found = try await peer.finish()
    #expect(found == [#"["1" {"value":7} "2" {"value":19} "5" -32601 "9" {"value":["hello",5]} null -32600]"#])
    #expect(peer.bench.log == ["hello 7"])
  }

  @Test func aBatchOfNotifications() async throws {
    let peer = PipePeer()
    peer.send(
      #"[{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},{"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]"#)
    #expect(try await peer.finish() == [])
    #expect(peer.bench.log == ["hello 7"])
  }
}
