import Jansson
import Testing

@Suite struct JSONWriterTests {
  private func written(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(reserving: 0)
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func commasStandBetweenAndNowhereElse() {
    let text = written { writer in
      writer.beginArray()
      writer.beginObject()
      writer.endObject()
      writer.beginArray()
      writer.endArray()
      writer.beginObject()
      writer.name("a")
      writer.integer(-1)
      writer.name("b")
      writer.beginArray()
      writer.bool(true)
      writer.null()
      writer.string("x")
      writer.string("é")
      writer.verbatim(Array("1e0".utf8))
      writer.endArray()
      writer.name("c")
      writer.bool(false)
      writer.endObject()
      writer.integer(.max)
      writer.endArray()
    }
    #expect(text == #"[{},[],{"a":-1,"b":[true,null,"x","é",1e0],"c":false},9223372036854775807]"#)
  }

  @Test func onlyRequiredCharactersAreEscaped() {
    let text = written { $0.string("\"\\/\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F}\u{7F}\u{2028}é😀") }
    #expect(text == "\"\\\"\\\\/\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f\u{7F}\u{2028}é😀\"")
  }

  @Test func everyByteIsEscapedAtEveryPlace() {
    /// Escapes byte by byte, as a reference.
    func escaped(_ text: String) -> String {
      let short: [UInt8: String] = [8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 0x22: "\\\"", 0x5C: "\\\\"]
      return text.utf8.reduce(into: "") { output, byte in
        output += short[byte] ?? (byte < 32 ? "\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16) : String(UnicodeScalar(byte)))
      }
    }
    for byte in UInt8(0)..<128 {
      for place in 0..<18 {
        let text = String(repeating: "x", count: place) + String(UnicodeScalar(byte)) + String(repeating: "y", count: 17 - place)
        #expect(written { $0.string(text) } == "\"\(escaped(text))\"")
      }
    }
    // Long texts put an escape at every offset around the seams between pieces.
    for length in [4064, 4090, 8170] {
      for more in 0..<24 {
        let text = String(repeating: "x", count: length + more) + "\"\u{1}\\\n" + String(repeating: "\u{1F}", count: 5000) + "y"
        #expect(written { $0.string(text) } == "\"\(escaped(text))\"", "\(length + more)")
      }
    }
  }

  @Test func namesAreEscapedToo() {
    #expect(written { $0.value(["a\"\n": 1]) } == #"{"a\"\n":1}"#)
  }

  @Test func treesComeBackAsTheyWere() throws {
    let tree: JSON = [
      "a": [1, .real(19.99), .real(-0.0), .null, true, "\u{0}\u{1F}\"\\é😀"], "": .object([]), "b": ["c": ["d": []]], "i": .integer(.min),
    ]
    #expect(try JSON.parse(tree.text) == tree)
    #expect(!tree.text.contains(UInt8(ascii: " ")) && !tree.text.contains(UInt8(ascii: "\n")))
  }

  @Test func verbatimTextStaysByteForByte() {
    #expect(written { $0.value(["n": .verbatim(Array("1.0e+2 ".utf8)), "m": 1]) } == #"{"n":1.0e+2 ,"m":1}"#)
  }

  @Test(arguments: [0, 1, 31, 32, 33])
  func namesAndValuesOfAnyLengthAreWrittenAlike(length: Int) {
    for end in ["", "\"", "\\", "\u{1f}", "é"] {
      let text = String(repeating: "x", count: length) + end
      var quoted: [UInt8] = []
      appendJSONString(text, to: &quoted)
      let string = String(decoding: quoted, as: UTF8.self)
      let json = JSON.object([.init(text, .string(text)), .init("b", .array([.string(text), .string(text)]))])
      #expect(String(decoding: json.text, as: UTF8.self) == "{\(string):\(string),\"b\":[\(string),\(string)]}")
    }
  }
}
