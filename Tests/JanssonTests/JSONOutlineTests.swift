import Testing

@testable import Jansson

/// A part of a JSON text, byte for byte.
struct JSONOutlineTests {
  private func part(_ text: String, _ path: String) -> String? {
    JSON.text(at: path.split(separator: ".").map(String.init), in: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    arguments: [
      (#"{"D":{"Success":true,"Results":[{"Id":"1","P":19.990}],"Code":1}}"#, "D.Results", #"[{"Id":"1","P":19.990}]"#),
      (#"{"a":"}],\"","b":[],"c":{}}"#, "c", "{}"), (#"{"a":"\\","b":1}"#, "b", "1"), (#"{"a":-1.5e3}"#, "a", "-1.5e3"),
      (#"{"\u0044":{"x":null}}"#, "D.x", "null"), (#"[[1,2],[3,"4,]"]]"#, "1.1", #""4,]""#), (#"[true]"#, "0", "true"),
      (#"{"a":{"b":"c"},"b":"d"}"#, "b", #""d""#),
      // Large integers keep all their digits.
      (#"{"n":[123456789012345678901234567890]}"#, "n.0", "123456789012345678901234567890"),
    ])
  func found(text: String, path: String, value: String) {
    #expect(part(text, path) == value)
  }

  @Test(
    arguments: [
      ("{}", "a"), ("[]", "0"), ("[1]", "1"), ("[1]", "-1"), ("[1]", "a"), (#"{"a":1}"#, "a.b"), (#"{"a":1}"#, "b"), (#""a""#, "a"),
      ("1", "0"), (#"{"a":[]}"#, "a.0"),
    ])
  func missing(text: String, path: String) {
    #expect(part(text, path) == nil)
  }
}
