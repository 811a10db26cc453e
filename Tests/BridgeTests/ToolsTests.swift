import Jansson
import OAuthCore
import TestSupport
import Testing

@testable import Bridge

/// Which tools a host may use, and the headers that repeat a request's parts.
struct ToolsTests {
  private static func call(_ name: String) -> String { #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(name)"}}"# }

  @Test(
    "Patterns allow and forbid tools as a shell would",
    arguments: [
      (nil, [], call("any"), nil), (["read_*"], [], call("read_file"), nil), (["read_*"], [], call("write_file"), "--allow-tool"),
      (["read_?"], [], call("read_ab"), "--allow-tool"), (["read_[ab]"], [], call("read_b"), nil), (["*"], [], call("a/b.c"), nil),
      (nil, ["delete_*"], call("delete_all"), "--ignore-tool"), (nil, ["delete_*"], call("list"), nil),
      (["*_all"], ["delete_*"], call("delete_all"), "--ignore-tool"), (["a"], [], call("A"), "--allow-tool"),
      (["*"], [], #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#, "--allow-tool"),
      (["a"], [], #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","Name":"b"}}"#, "two ways"),
      (["a"], [], #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, nil), (["a"], [], "[\(call("a")),\(call("b"))]", "--allow-tool"),
    ] as [([String]?, [String], String, String?)])
  func refusal(allowed: [String]?, ignored: [String], line: String, part: String?) throws {
    let message = try #require(Message(Array(line.utf8)))
    let refusal = Tools(allowed: allowed, ignored: ignored, log: LogRecorder()).refusal(of: message)
    #expect((refusal == nil) == (part == nil) && part.map { refusal?.message.contains($0) == true } ?? true)
  }

  private static let version = #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#

  @Test(
    "A request of the version without sessions repeats its parts in headers",
    arguments: [
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":{"b":7}},\#(version)}}"#, ["t", "7"]),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":" ü",\#(version)}}"#, ["=?base64?IMO8?="]),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"=?base64?x?=",\#(version)}}"#, ["=?base64?PT9iYXNlNjQ/eD89?="]),
      (#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a","name":"n",\#(version)}}"#, ["file:///a"]),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{\#(version)}}"#, []),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}"#, nil),
    ] as [(String, [String]?)])
  func headers(line: String, expected: [String]?) throws {
    let tools = Tools(allowed: nil, ignored: [], log: LogRecorder())
    let schema = #"{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"integer","x-mcp-header":"B"}}}}}"#
    let list = #"{"jsonrpc":"2.0","id":0,"result":{"tools":[{"name":"t","inputSchema":\#(schema)}]}}"#
    _ = tools.admitted(try #require(Message(Array(list.utf8))), isStateless: true)
    let found = Stateless.headers(of: try #require(Message(Array(line.utf8))), tools)
    #expect(found?.prefix(1).map(\.value) ?? [] == (expected == nil ? [] : ["2026-07-28"]))
    #expect(found?.dropFirst(2).map(\.value) == expected)
  }
}
