import JSONRPC
import Testing

@Suite struct RequestTests {
  private func request(_ id: String) -> String { #"{"jsonrpc":"2.0","id":\#(id),"method":"subtract","params":[3,1]}"# }

  @Test(arguments: [
    "0", "-1", "1", "2147483648", "9007199254740993", "9223372036854775807", "-9223372036854775808", "\"\"", "\"1\"", #""a\"\\/b""#,
    "\"é😀\"", "null",
  ])
  func idsAreEchoedAsSent(id: String) async throws {
    #expect(try await answers(to: request(id)) == [#"\#(id) {"value":2}"#])
  }

  @Test(arguments: ["1.5", "1.0", "1e2", "true", "[]", "[1]", "{}", #"{"a":1}"#])
  func invalidIds(id: String) async throws {
    #expect(try await answers(to: request(id), request("1")) == ["null -32600", #"1 {"value":2}"#])
  }

  @Test func numbersBeyond64BitsKeepTheIdThatCanBeRead() async throws {
    func large(_ id: String, _ number: String) -> String { #"{"jsonrpc":"2.0","id":\#(id),"method":"subtract","params":[\#(number),1]}"# }
    let large64 = "9223372036854775808"
    #expect(try await answers(to: large("7", large64), large("-9007199254740991", large64)) == ["7 -32600", "-9007199254740991 -32600"])
    #expect(try await answers(to: large(#""x""#, large64), large("1.5", large64)) == [#""x" -32600"#, "null -32600"])
    #expect(try await answers(to: large("9007199254740993", large64), large(large64, "1")) == ["9007199254740993 -32600", "null -32600"])
    #expect(try await answers(to: large("7", "1e400"), large("8", "-1E400")) == ["7 -32600", "8 -32600"])
    #expect(try await answers(to: #"{"id":7,"x":9223372036854775808"#) == ["null -32700"])
  }

  @Test(arguments: ["1", "\"x\"", "true", "1.5"])
  func invalidParams(params: String) async throws {
    #expect(try await answers(to: #"{"jsonrpc":"2.0","id":1,"method":"sum","params":\#(params)}"#) == ["1 -32600"])
  }

  @Test(arguments: [
    "[1]", #"{"minuend":1}"#, "[1,2,3]", "[1,null]", #"["1",2]"#, #"{"minuend":1,"subtrahend":2,"x":3}"#, #"{"Minuend":1,"subtrahend":2}"#,
    "{}",
  ])
  func paramsThatDoNotFit(params: String) async throws {
    #expect(try await answers(to: #"{"jsonrpc":"2.0","id":1,"method":"subtract","params":\#(params)}"#) == ["1 -32602"])
  }

  @Test func whatIsWrongIsToldWithItsPath() async throws {
    let peer = PipePeer()
    peer.request("1", "subtract", #"{"minuend":1,"subtrahend":2,"a/b":3}"#)
    let frames = try await peer.finishFrames().map(\.short)
    #expect(
      frames == [#"l:{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"/a~1b is unknown","data":{"path":"/a~1b"}}}"#])
  }

  @Test func unknownParamsPassWhereTheyMay() async throws {
    #expect(
      try await answers(to: #"{"jsonrpc":"2.0","id":1,"method":"tell","params":{"text":"a","more":[1]}}"#)
        == [#"wasTold {"seq":1,"text":"a"}"#, "1 {}"])
  }

  @Test(arguments: [
    #"{"jsonrpc":"2.0","id":1,"result":{}}"#, #"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"m"}}"#,
    #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}"#, #"{"jsonrpc":"2.0","id":1.5,"result":1}"#, #"{"result":null}"#,
    #"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"error":{}}]"#,
  ])
  func responsesAreIgnored(text: String) async throws {
    #expect(try await answers(to: text, request("9")) == [#"9 {"value":2}"#])
  }

  @Test(arguments: [
    (#"{"id":1,"method":"sum"}"#, "1 -32600"), (#"{"jsonrpc":"1.0","id":1,"method":"sum"}"#, "1 -32600"),
    (#"{"jsonrpc":2.0,"id":"a","method":"sum"}"#, #""a" -32600"#), (#"{"jsonrpc":"2.0","id":1}"#, "1 -32600"),
    (#"{"jsonrpc":"2.0","id":1,"Method":"sum"}"#, "1 -32600"), (#"{"jsonrpc":"2.0","id":1,"method":null}"#, "1 -32600"),
    (#"{"jsonrpc":"2.0","id":1,"method":["sum"]}"#, "1 -32600"), ("{}", "null -32600"), ("1", "null -32600"), ("null", "null -32600"),
    (#""x""#, "null -32600"), ("[[]]", "[null -32600]"), (#"{"jsonrpc":"2.0","id":1,"id":2,"method":"sum"}"#, "null -32600"),
    (#"{"jsonrpc":"2.0","id":1,"\u0069d":2,"method":"sum"}"#, "null -32600"), ("{}x", "null -32700"), ("{\"id\":1\0}", "null -32700"),
    (#"{"jsonrpc":"2.0","id":1,"method":"sum","params":{"a\u0000":1}}"#, "1 -32600"), ("X: y\n", "null -32600"),
    (String(repeating: "[", count: 100_000), "null -32600"), ("\u{FEFF}\u{FEFF}1", "null -32700"),
  ])
  func invalidRequestsAreAnsweredOnce(text: String, answer: String) async throws {
    #expect(try await answers(to: text, request("9")) == [answer, #"9 {"value":2}"#])
  }

  @Test func aMethodNameIsRepeatedOnlyWhereItIsShortAndClean() async throws {
    for name in [String(repeating: "x", count: 1 << 20), "a\\u0000b"] {
      let peer = PipePeer()
      peer.request("1", name)
      let frame = try #require(try await peer.finishFrames().first).short
      #expect(frame == #"l:{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"there is no method of that name"}}"#)
    }
  }

  @Test func thrownErrorsAreMapped() async throws {
    let peer = PipePeer()
    peer.request("1", "fail")
    peer.request("2", "fail", "[1003]")
    #expect(
      try await peer.finishFrames().map(\.short) == [
        #"l:{"jsonrpc":"2.0","id":1,"error":{"code":1000,"message":"it failed"}}"#,
        #"l:{"jsonrpc":"2.0","id":2,"error":{"code":1003,"message":"as asked","data":{"kind":"asked"}}}"#,
      ])
  }
}
