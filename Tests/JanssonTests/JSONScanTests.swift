import TestSupport
import Testing

@testable import Jansson

@Suite struct JSONScanTests {
  static func splice(_ text: String) -> Result<[UInt8], JSON.Scan.Reason> { JSON.Scan.splice(Array(text.utf8)) }

  @Test(arguments: [
    "0", "-0", "1", "-1", "19.99", "0.10", "1E5", "1e-400", "0e999999999999999999999", "0.0e400", "-0.0", "1e308", "1.0",
    "9007199254740991", "-9007199254740991", "9007199254740993.0", "1e22", "\"\"", "\"a\"", "true", "false", "null", "[]", "{}",
    "[[],{}]", "{\"\":0}", "{\"a\":{\"a\":{\"a\":1}},\"b\":1}", "[{\"a\":1},{\"a\":1}]", "\"\\u0061\\/\\\"\\\\\\b\\f\\n\\r\\t\"",
    "\"\\ud83d\\ude00\\uD83D\\uDE00\"", "\"\u{7f}\u{2028}\u{2029}é€😀\u{FEFF}\"", "{\"A\":1,\"a\":2}",
    "{\"é\":1,\"e\u{301}\":2}", "\"\\\\u0000\"",
  ])
  func compactTextStaysUnchanged(text: String) {
    #expect(Self.splice(text) == .success(Array(text.utf8)))
    #expect(Self.splice(text + "x") == .failure(.notJSON))
  }

  @Test func dropsWhiteSpaceOutsideStringsAlone() {
    let text = " \r\n\t{ \"a b\" :\t[ 1 , 2.50 ,\n\"c \\n d\" ] , \"e\" : { } , \"f\":[\n          ]}\n\n"
    #expect(Self.splice(text) == .success(Array("{\"a b\":[1,2.50,\"c \\n d\"],\"e\":{},\"f\":[]}".utf8)))
    #expect(Self.splice("  1") == .success([0x31]))
    #expect(Self.splice("1  ") == .success([0x31]))
  }

  @Test(arguments: [
    "01", "-01", "+1", "-", "1.", ".5", "1.e1", "1e", "1e+", "0x1", "1_0", "NaN", "Infinity", "-Infinity", "tru", "truee", "True", "nul",
    "\"", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\\u+123\"", "\"\\U0061\"", "'a'", "\"a\nb\"", "\"a\tb\"", "\"\u{1f}\"",
    "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1}", "{", "}", "{\"a\"}", "{\"a\":}", "{\"a\":1", "{\"a\":1,}", "{,}", "{a:1}",
    "{1:1}", "{\"a\" 1}", "{\"a\"::1}", "1 2", "{}{}", "[]x", "\u{FEFF}1", "\u{FEFF}", "[1]//", "/**/1", "1\u{A0}", "\u{C}1", "\u{B}", "é",
    "[\"a\",\n4\n,1,", "\"\\ud800\\\"", "<html>", "a=b", "{\"a\":9007199254740993", "{\"a\":1,\"a\":1", "\"\\u0000", "01\0",
  ])
  func isNotJSON(text: String) {
    #expect(Self.splice(text) == .failure(.notJSON))
  }

  @Test(
    arguments: [
      ("", .empty), (" \r\n\t ", .empty),
      ("9007199254740992", .integerOutOfRange), ("[-9007199254740992]", .integerOutOfRange), ("9007199254740993", .integerOutOfRange),
      ("18446744073709551617", .integerOutOfRange), ("100000000000000000000000000000000000", .integerOutOfRange),
      ("1e309", .numberOverflow), ("-1E400", .numberOverflow), ("{\"a\":1e400}", .numberOverflow), ("0.001e312", .numberOverflow),
      ("1e99999999999999999999999", .numberOverflow), ("1.8e308", .numberOverflow), ("1.7976931348623159e308", .numberOverflow),
      ("\"\\ud800\"", .loneSurrogate), ("\"\\udc00\"", .loneSurrogate), ("\"\\ud800\\ud800\\udc00\"", .loneSurrogate),
      ("\"\\ud800a\"", .loneSurrogate), ("\"\\ud800\\n\"", .loneSurrogate), ("{\"\\udfff\":1}", .loneSurrogate),
      ("\"\\u0000\"", .nul), ("\"a\0b\"", .nul), ("[1\0]", .nul), ("\0", .nul), ("{\"\\u0000\":1}", .nul), ("{\0\"\0a\0", .nul),
      ("{\"a\":1,\"a\":2}", .duplicateMembers), ("{\"a\":1,\"\\u0061\":2}", .duplicateMembers),
      ("{\"\":1,\"b\":{},\"\":2}", .duplicateMembers), ("{\"\\ud83d\\ude00\":1,\"😀\":2}", .duplicateMembers),
      ("{\"a\\/\":1,\"a/\":2}", .duplicateMembers), ("[{\"long member name\":{\"x\":1},\"long member name\":2}]", .duplicateMembers),
      ("[1e999,9007199254740993]", .numberOverflow), ("[9007199254740993,1e999]", .integerOutOfRange),
    ] as [(String, JSON.Scan.Reason)])
  func isOmitted(text: String, reason: JSON.Scan.Reason) {
    #expect(Self.splice(text) == .failure(reason))
  }

  @Test func theLargestDoubleIsToldFromInfinityToTheLastDigit() {
    // 2^1024 - 2^970, half-way between the largest Double and 2^1024: the smallest number that rounds to infinity.
    let limit =
      "1797693134862315807937289714053034150799341327100378269361737789804449682927647509466490179775872070"
      + "9633028641669288791094655554785194040263065748867150582068190890200070838367627385484581771153176447"
      + "5730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880177904"
      + "174497792"
    let below = limit.dropLast() + "1"
    #expect(Self.splice(limit + ".0") == .failure(.numberOverflow))
    #expect(Self.splice(limit + "000e-3") == .failure(.numberOverflow))
    #expect(Self.splice(below + ".9999") == .success(Array((below + ".9999").utf8)))
    #expect(Self.splice("1.7976931348623157e308") == .success(Array("1.7976931348623157e308".utf8)))
    for zeros in [0, 5, 400] {
      let padding = String(repeating: "0", count: zeros)
      for (digits, isInfinite) in [("179769313486231570", false), ("179769313486231581", true), ("179769313486231580", false)] {
        let text = "0.\(padding)\(digits)e\(309 + zeros)"
        #expect(Double(text)?.isInfinite == isInfinite)
        #expect(Self.splice(text) == (isInfinite ? .failure(.numberOverflow) : .success(Array(text.utf8))))
      }
    }
    let whole = "1" + String(repeating: "0", count: 309)
    #expect(Self.splice(whole + ".0") == .failure(.numberOverflow))
    #expect(Self.splice(whole + "e-1") == .success(Array((whole + "e-1").utf8)))
  }

  @Test(
    arguments: [
      [0xFF], [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3], [0xE2, 0x82], [0xC3, 0xA9, 0xE9],
    ] as [[UInt8]])
  func isNotUTF8(bytes: [UInt8]) {
    for padding in 0..<9 {
      let text = [0x22] + [UInt8](repeating: 0x61, count: padding) + bytes + [0x22]
      #expect(JSON.Scan.splice(text) == .failure(.notUTF8))
    }
  }

  @Test func nestingOver90IsTooDeep() {
    let nested = { (count: Int) in String(repeating: "[", count: count) + String(repeating: "]", count: count) }
    #expect(Self.splice(nested(90)) == .success(Array(nested(90).utf8)))
    #expect(Self.splice(nested(91)) == .failure(.tooDeep))
    #expect(Self.splice(String(repeating: "{\"a\":", count: 91)) == .failure(.tooDeep))
    #expect(Self.splice(String(repeating: "[", count: 1_000_000)) == .failure(.tooDeep))
    #expect(Self.splice("[" + Array(repeating: nested(89), count: 50).joined(separator: ",") + "]") != .failure(.tooDeep))
  }

  @Test(arguments: [2, 15, 16, 17, 18, 200])
  func oneDuplicateAmongManyIsFound(count: Int) {
    // The names have the same length, first and last bytes, and differ only in the middle.
    let names = (0..<count).map { "beginning \(1000 + $0) the end" }
    for duplicate in [nil, 0, count / 2, count - 1] {
      var members = names.map { "\"\($0)\":{\"x\":1}" }
      if let duplicate { members.append("\"\\u0062\(names[duplicate].dropFirst())\":0") }
      let text = "[{\(members.joined(separator: ","))},{\"x\":1}]"
      #expect(Self.splice(text) == (duplicate == nil ? .success(Array(text.utf8)) : .failure(.duplicateMembers)))
    }
  }

  @Test func wireNames() {
    #expect(
      JSON.Scan.Reason.allCases.map(\.rawValue) == [
        "empty", "not-json", "not-utf8", "too-deep", "nul", "duplicate-members", "integer-out-of-range", "number-overflow",
        "lone-surrogate",
      ])
  }
}

/// Generated and damaged texts, read by the scanner and by the oracle.
@Suite struct JSONScanFuzz {
  @Test func agreesWithTheOracle() {
    var random = SplitMix(state: 42)
    var spliced = 0
    for _ in 0..<4_000 {
      var bytes = random.value(depth: 0)
      for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty { random.damage(&bytes) }
      let verdict = JSONOracle.judge(bytes)
      let result = JSON.Scan.splice(bytes)
      if !verdict.allows(result) { Issue.record("\(String(decoding: bytes, as: UTF8.self)) \(bytes): \(verdict), got \(result)") }
      guard case .success(let compact) = result else { continue }
      spliced += 1
      #expect(JSON.Scan.splice(compact) == result)
    }
    #expect(spliced > 600 && spliced < 3_800)
  }
}

struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  private mutating func pick(_ texts: [String]) -> [UInt8] {
    Array(texts[Int.random(in: 0..<texts.count, using: &self)].utf8)
  }

  private mutating func blank() -> [UInt8] { pick(["", "", "", " ", "\n", "\r\n\t", "\n            "]) }

  private mutating func string() -> [UInt8] {
    var bytes: [UInt8] = [0x22]
    for _ in 0..<Int.random(in: 0...6, using: &self) {
      bytes += pick([
        "a", "b", "abcdefgh", "é", "€", "😀", "\\n", "\\\"", "\\\\", "\\u0061", "\\u00e9", "\\ud83d\\ude00", "\\/", " ",
        "quite a long piece",
      ])
      if Int.random(in: 0..<200, using: &self) == 0 { bytes += pick(["\\ud800", "\\udc00", "\\u0000", "\u{1}", "\0"]) }
    }
    return bytes + [0x22]
  }

  mutating func value(depth: Int) -> [UInt8] {
    switch Int.random(in: 0..<(depth > 4 ? 4 : 8), using: &self) {
    case 0: return string()
    case 1, 2:
      return pick([
        "0", "-0", "1.50", "12345678", "true", "false", "null", "1e5", "0.1E-7", "-9007199254740991", "123e-400", "9.99e307",
        "1234567890123456",
      ])
    case 3:
      return Int.random(in: 0..<30, using: &self) == 0 ? pick(["1e309", "9007199254740992", "01", "-", "17e307", "18e307"]) : string()
    case 4, 5:
      let items = (0..<Int.random(in: 0...5, using: &self)).map { _ in blank() + value(depth: depth + 1) + blank() }
      return [0x5B] + blank() + items.joined(separator: [0x2C]) + [0x5D]
    default:
      let count = Int.random(in: 0..<10, using: &self) == 0 ? 25 : Int.random(in: 0...5, using: &self)
      let members = (0..<count).map { index in
        let name = Int.random(in: 0..<12, using: &self) == 0 ? string() : Array("\"k\(index)\"".utf8)
        return blank() + name + blank() + [0x3A] + blank() + value(depth: count > 5 ? 9 : depth + 1) + blank()
      }
      return [0x7B] + blank() + members.joined(separator: [0x2C]) + [0x7D]
    }
  }

  mutating func damage(_ bytes: inout [UInt8]) {
    let index = Int.random(in: 0..<bytes.count, using: &self)
    switch Int.random(in: 0..<6, using: &self) {
    case 0: bytes.remove(at: index)
    case 1: bytes[index] = UInt8.random(in: .min ... .max, using: &self)
    case 2: bytes.insert(Array("{}[]\",:\\0e.-+ \n".utf8)[Int.random(in: 0..<15, using: &self)], at: index)
    case 3: bytes.removeSubrange(index...)
    default: break
    }
  }
}
