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
      writer.string(utf8: Array("é".utf8))
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

  @Test func onlyWhatMustBeEscapedIs() {
    let text = written { $0.string("\"\\/\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F}\u{7F}\u{2028}é😀") }
    #expect(text == "\"\\\"\\\\/\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f\u{7F}\u{2028}é😀\"")
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

  @Test func whatSomebodyElseWroteStaysByteForByte() {
    #expect(written { $0.value(["n": .verbatim(Array("1.0e+2 ".utf8)), "m": 1]) } == #"{"n":1.0e+2 ,"m":1}"#)
  }
}
