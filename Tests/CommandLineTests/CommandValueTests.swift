import Jansson
import Testing

@testable import CommandLine
@testable import Methods

/// What the text of a param becomes, by the types that its schema allows.
struct CommandValueTests {
  @Test(
    arguments: [
      (["a"], ["type": "string"], "a"), (["7"], ["type": "string"], "7"), (["7"], ["type": "integer"], 7),
      (["7"], ["type": ["string", "integer"]], 7), (["true"], ["type": "boolean"], true), (["true"], ["type": "string"], "true"),
      (["a"], ["type": "array", "items": ["type": "string"]], ["a"]),
      (["a", "b"], ["type": "array", "items": ["type": "string"]], ["a", "b"]),
      (["[\"a\"]", "b"], ["type": "array", "items": ["type": "string"]], ["a", "b"]), (["{\"a\":1}"], ["type": "object"], ["a": 1]),
      (["{\"a\":1}"], ["type": "string"], "{\"a\":1}"), (["{\"a\":1}"], ["anyOf": [["type": "string"], ["type": "object"]]], ["a": 1]),
      (["[remote]\ntype = drive"], ["anyOf": [["type": "string"], ["type": "array"]]], "[remote]\ntype = drive"),
      (["@@me"], ["type": "string"], "@me"), (["null"], ["type": ["string", "null"]], "null"),
    ] as [([String], JSON, JSON)])
  func value(texts: [String], schema: JSON, value: JSON) throws {
    #expect(try CommandValue.json(texts.map { .init(text: $0) }, schema, "--x") == value)
  }

  @Test(
    arguments: [
      ("x", ["type": "integer"], "--x must be a number"), ("yes", ["type": "boolean"], "--x must be true or false"),
      ("x", ["type": "object"], "--x must be JSON"), ("{\"a\":}", ["type": "object"], "--x is not valid JSON: look at the text at byte 6"),
      ("@/nowhere/at/all", ["type": "string"], "--x: the file /nowhere/at/all cannot be read"),
    ] as [(String, JSON, String)])
  func fault(text: String, schema: JSON, part: String) {
    let fault = #expect(throws: Options.Fault.self) { try CommandValue.json([.init(text: text)], schema, "--x") }
    #expect(fault?.message.hasPrefix(part) == true, "\(fault?.message ?? "")")
  }

  @Test func aLiteralNamesNoFile() throws {
    #expect(try CommandValue.json([.init(text: "@me", isLiteral: true)], ["type": "string"], "--x") == "@me")
  }
}
