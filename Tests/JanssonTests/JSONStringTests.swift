import Testing

@testable import Jansson

@Suite struct JSONStringTests {
  static func json(_ text: String) -> String {
    var bytes: [UInt8] = []
    appendJSONString(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func escapesWhatMustBe() {
    #expect(Self.json("") == "\"\"")
    #expect(Self.json("a\"b\\c/d") == "\"a\\\"b\\\\c/d\"")
    #expect(Self.json("\u{8}\t\n\u{C}\r") == "\"\\b\\t\\n\\f\\r\"")
    #expect(Self.json("\0\u{1}\u{B}\u{F}\u{10}\u{1F}") == "\"\\u0000\\u0001\\u000b\\u000f\\u0010\\u001f\"")
    let raw = "\u{7F}\u{80}é€😀\u{2028}\u{2029} ~"
    #expect(Self.json(raw) == "\"\(raw)\"")
  }

  @Test func everyASCIICharacterAtEveryPlace() {
    for code in UInt8(0)..<0x80 {
      let character = String(Unicode.Scalar(code))
      let escaped = String(Self.json(character).dropFirst().dropLast())
      #expect(escaped.utf8.count == 1 || code < 0x20 || character == "\"" || character == "\\")
      for place in 0..<20 {
        let before = String(repeating: "x", count: place)
        let after = String(repeating: "é", count: 19 - place)
        #expect(Self.json(before + character + character + after) == "\"\(before)\(escaped)\(escaped)\(after)\"")
      }
    }
  }

  @Test func isAcceptedAsJSONAndAppends() {
    var bytes: [UInt8] = [0x5B]
    appendJSONString("a\n", to: &bytes)
    bytes.append(0x2C)
    appendJSONString(String((1..<0x250).compactMap(Unicode.Scalar.init).map(Character.init)), to: &bytes)
    bytes.append(0x5D)
    #expect(JSON.Scan.splice(bytes) == .success(bytes))
    #expect(bytes.starts(with: Array("[\"a\\n\",\"\\u0001".utf8)))
  }
}
