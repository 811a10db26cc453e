import Jansson
import Testing

@Suite struct JSONParseTests {
  private func parse(_ text: String) throws(JSONFault) -> JSON { try JSON.parse(Array(text.utf8)) }

  private func fault(_ bytes: [UInt8]) -> JSONFault? {
    do throws(JSONFault) {
      _ = try JSON.parse(bytes)
      return nil
    } catch {
      return error
    }
  }

  private func fault(_ text: String) -> JSONFault? { fault(Array(text.utf8)) }

  @Test func everyKindAtTheTop() throws {
    #expect(try parse("null") == .null)
    #expect(try parse(" true ") == true)
    #expect(try parse("7") == 7)
    #expect(try parse(#""x""#) == "x")
    #expect(try parse("[1,[],{}]") == [1, [], .object([])])
    #expect(try parse(#"{"b":1,"a":false}"#) == ["b": 1, "a": false])
  }

  @Test(arguments: ["[1\0,2]", "{\"id\":1\0}", "[true\0]", "1\0", "\0", "\"a\0b\"", "{}\0"])
  func aRawNULIsNeverSwallowed(text: String) {
    let position = Array(text.utf8).firstIndex(of: 0) ?? -1
    #expect(fault(text) == .syntax(position: position))
  }

  @Test func aNULInAValueIsPartOfIt() throws {
    #expect(try parse(#"["a\u0000b","\u0000"]"#) == ["a\0b", "\0"])
  }

  @Test(arguments: [#"{"a\u0000b":1}"#, #"{"\u0000":1}"#, #"[{"a":{"id\u0000":1}}]"#])
  func aNULInANameIsAFault(text: String) {
    guard case .nulInName(let position)? = fault(text) else {
      Issue.record("\(text) was accepted")
      return
    }
    #expect((0...text.utf8.count).contains(position))
  }

  @Test func integersOf64BitsAreExact() throws {
    #expect(try parse("[9223372036854775807,-9223372036854775808]") == [.integer(.max), .integer(.min)])
    #expect(try parse("[9007199254740993]") == [9_007_199_254_740_993])
  }

  @Test(arguments: ["9223372036854775808", "-9223372036854775809", "18446744073709551615", "123456789012345678901234567890"])
  func integersBeyond64BitsLeaveTheRestReadable(number: String) throws {
    let text = #"{"id":7,"method":"m","params":{"x":\#(number)}}"#
    #expect(fault(text) == .numberOutOfRange)
    let rest = try JSON.parseRounding(Array(text.utf8))
    #expect(rest["id"] == .real(7))
    #expect(rest["method"] == "m")
  }

  @Test func numbersThatOverflowADoubleLeaveNothing() {
    for text in [#"{"id":7,"x":1e400}"#, "-1e400"] {
      #expect(fault(text) == .numberOutOfRange)
      #expect(throws: JSONFault.numberOutOfRange) { try JSON.parseRounding(Array(text.utf8)) }
    }
  }

  @Test(arguments: [
    (#"{"id":7,"x":1e400}"#, 12), ("[-1E+400,2]", 1),
    (#"{"a\"9223372036854775808":"1e999","b":[-9223372036854775809]}"#, 39), ("18446744073709551616", 0), ("[1.7e308,1.8e308,5e-999]", 9),
    ("[-91e30900359-022]", 1), ("[1,1e999.5]", 3), ("{\"a\":1e999e5}", 5),
  ])
  func aLargeNumberIsFound(text: String, position: Int) {
    #expect(JSON.positionOfLargeNumber(Array(text.utf8)) == position)
  }

  @Test(
    arguments: [
      (#"{"id":1,"method":"m","params":{"a":"\ud800"}}"#, #"{"id":1,"method":"m","params":null}"#),
      (#" { "id" : "\"}" , "params" : [ 1 , bar , { "a" : "]" } ] } "#, #"{"id":"\"}","params":null}"#),
      (#"[{"id":1,"x":1e400},2,{"params":bar}]"#, #"[{"id":1,"x":null},2,{"params":null}]"#),
      (#"{"params":"\\","id":1}"#, #"{"params":null,"id":1}"#),
      (#"{"params":"\"\\\"}\\","method":"\\\"","x":"é\n","id":1}"#, #"{"params":null,"method":"\\\"","x":null,"id":1}"#),
      (#"{"params":{"a":1,"a":2},"id":1,"jsonrpc":"2.0"}"#, #"{"params":null,"id":1,"jsonrpc":"2.0"}"#),
      // The end of the params cannot be found.
      (#"{"id":1,"params":{"a":[1}}"#, nil), (#"{"id":1,"params":{"a":1}"#, nil), (#"{"id":1,"params":"a}"#, nil),
      (#"{"id":1,"params":"a\"#, nil),
      (#"{"id":1}}"#, nil), (#"{"id":1}{"id":2}"#, nil), ("{}", "{}"), ("[]", nil), ("", nil), ("[", nil), (#"{"id":1,"params":}"#, nil),
      (#"{"id" 1}"#, nil),
    ] as [(String, String?)])
  func theEnvelopeIsReadWithoutTheParams(text: String, envelope: String?) {
    #expect(JSON.withoutParams(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } == envelope)
  }

  @Test(arguments: [
    ("{", JSONFault.Syntax.endsEarly), ("", .endsEarly), (#"{"a":"x"#, .endsEarly), ("{}{}", .goesOn), ("{} x", .goesOn),
    ("{'a':1}", .malformed),
    ("[1,]", .malformed),
  ])
  func syntaxFaultsHaveAKind(text: String, kind: JSONFault.Syntax) {
    guard case .syntax(_, kind)? = fault(text) else {
      Issue.record("\(text): \(String(describing: fault(text)))")
      return
    }
  }

  @Test func theTextAfterALargeNumberIsParsed() {
    guard case .syntax? = fault("[9223372036854775808, garbage]") else {
      Issue.record("invalid JSON was reported as a large number")
      return
    }
    guard case .duplicateMember? = fault(#"{"x":9223372036854775808,"a":1,"a":2}"#) else {
      Issue.record("a duplicate behind a large number was missed")
      return
    }
  }

  @Test(arguments: [
    ("19.99", "19.99"), ("0.1", "0.1"), ("1e2", "100.0"), ("-0", "0"), ("-0.0", "-0.0"), ("1.5e300", "1.5e+300"), ("5e-324", "5e-324"),
    ("1E-7", "1e-07"), ("0.30000000000000004", "0.30000000000000004"), ("123456789.123456789", "123456789.12345679"),
  ])
  func realsKeepTheirValue(number: String, written: String) throws {
    let value = try parse("[\(number)]")
    #expect(String(decoding: value.text, as: UTF8.self) == "[\(written)]")
    #expect(Double(written) == Double(number))
    #expect(try JSON.parse(value.text) == value)
  }

  @Test(arguments: [#"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"{"id":1,"b":2,"\u0069d":3}"#, #"[{"x":{"é":1,"\u00e9":2}}]"#])
  func duplicateMembersAreRejected(text: String) {
    guard case .duplicateMember(let position)? = fault(text) else {
      Issue.record("\(text) was accepted")
      return
    }
    #expect((1..<text.utf8.count).contains(position))
  }

  @Test func namesThatOnlyLookAlikeAreTwo() throws {
    #expect(try parse(#"{"a":1,"A":2}"#).members?.count == 2)
    #expect(try parse("{\"\u{e9}\":1,\"e\u{301}\":2}").members?.count == 2)
  }

  @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
  func nestingEndsAt128(open: String, close: String) throws {
    func nested(_ levels: Int, _ inner: String) -> String {
      String(repeating: open, count: levels) + inner + String(repeating: close, count: levels)
    }
    let empty = open == "[" ? "[]" : "{}"
    _ = try parse(nested(128, "1"))
    _ = try parse(nested(127, empty))
    #expect(fault(nested(129, "1")) == .tooDeep(limit: 128))
    #expect(fault(nested(128, empty)) == .tooDeep(limit: 128))
    #expect(fault(nested(2047, "1")) == .tooDeep(limit: 128))
    #expect(fault(nested(2048, "1")) == .tooDeep(limit: 128))
    #expect(fault(nested(2049, "1")) == .tooDeep(limit: 128))
    #expect(fault(nested(100_000, "1")) == .tooDeep(limit: 128))
    #expect(fault(String(repeating: open, count: 100_000)) == .tooDeep(limit: 128))
    #expect(fault(nested(129, "9223372036854775808")) == .tooDeep(limit: 128))
  }

  @Test(arguments: [
    [0xFF], [0x80], [0xC0, 0xAF], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
    [0xF5, 0x80, 0x80, 0x80],
  ])
  func invalidUTF8IsRejected(bytes: [UInt8]) {
    for text in [Array("[\"a".utf8) + bytes + Array("b\"]".utf8), Array("{\"".utf8) + bytes + Array("\":1}".utf8)] {
      guard case .syntax(let position, let kind)? = fault(text), kind == .notUTF8 else {
        Issue.record("\(text) was accepted, or rejected for another reason")
        continue
      }
      #expect(position == text.firstIndex { $0 >= 0x80 })
    }
  }

  @Test(arguments: [#"["\ud800"]"#, #"["\udc00"]"#, #"["\udc00\ud800"]"#, #"["\ud800x"]"#, #"["\ud800\ud800"]"#])
  func loneSurrogatesAreRejected(text: String) {
    guard case .syntax? = fault(text) else {
      Issue.record("\(text) was accepted")
      return
    }
  }

  @Test func charactersAreTakenAsTheyAre() throws {
    #expect(try parse(#"["\ud83d\ude00😀","\uffff\u007f\/\"\\\b\f\n\r\t"]"#) == ["😀😀", "\u{FFFF}\u{7F}/\"\\\u{8}\u{C}\n\r\t"])
  }

  @Test(arguments: [
    "", " ", "{} garbage", "{}{}", "1 2", "[1,]", "{\"a\":}", "{\"a\"}", "{a:1}", "'a'", "NaN", "Infinity", "-", "01", "+1", ".5", "1.",
    "tru", "nullx", "[1", "\"a", "\"\t\"",
    "\u{FEFF}{}", "// x\n1", "[1 2]", "\u{A0}1",
  ])
  func syntaxFaultsHaveAPosition(text: String) {
    guard case .syntax(let position, _)? = fault(text) else {
      Issue.record("\(text) was accepted")
      return
    }
    #expect((0...text.utf8.count).contains(position))
  }

  @Test func thePositionCountsBytesFromZero() {
    #expect(fault(#"["é" x]"#) == .syntax(position: 6))
    #expect(fault(#"{"a":}"#) == .syntax(position: 5))
  }

  @Test func faultsNeverQuoteTheirInput() {
    for text in [
      #"{"s3cret":"s3cret","s3cret":1}"#, #"{"s3cret\u0000":1}"#, "[\"s3cret", "s3cret", "[1e400]s3cret", #"{"a":s3cret}"#,
      "\"s3cret\u{1}\"",
      String(repeating: "[", count: 200) + "\"s3cret\"" + String(repeating: "]", count: 200),
    ] {
      guard let fault = fault(text) else {
        Issue.record("\(text) was accepted")
        continue
      }
      #expect(!String(reflecting: fault).contains("s3cret"))
    }
  }
}
