import Testing

@testable import Jansson

@Suite struct UTF8CheckTests {
  @Test func agreesWithTheStandardLibraryOnEveryShortTail() {
    // Every pair and triple of bytes at the edges of RFC 3629's table, and quadruples with a last byte of 0x80, at different alignments.
    let edges: [UInt8] = [
      0x00, 0x01, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3,
      0xF4, 0xF5, 0xFF,
    ]
    var cases: [[UInt8]] = []
    for first in edges {
      for second in edges {
        cases.append([first, second])
        for third in edges { cases.append([first, second, third]) }
      }
    }
    for first in edges where first >= 0xF0 {
      for second in edges { for third in edges { cases.append([first, second, third, 0x80]) } }
    }
    let more = Array("and much more text".utf8)
    for tail in cases {
      let wanted = String(validating: tail, as: UTF8.self) != nil && !tail.contains(0)
      for padding in [0, 6, 8] {
        let bytes = [UInt8](repeating: 0x61, count: padding) + tail
        // Only failures are recorded: tens of thousands of expectations take seconds.
        let agrees = isCleanUTF8(bytes) == wanted && isCleanUTF8(bytes + more) == wanted
        if !agrees { Issue.record("\(bytes) should be \(wanted)") }
      }
    }
  }

  @Test func emptyIsClean() {
    #expect(isCleanUTF8([]))
    #expect(isCleanUTF8(Array("ascii, é, €, 😀, \u{FFFF}, \u{10FFFF}".utf8)))
  }

  @Test func aNULIsFoundAtEveryPlace() {
    for index in 0..<40 {
      var bytes = [UInt8](repeating: 0x01, count: 40)
      #expect(isCleanUTF8(bytes))
      bytes[index] = 0
      #expect(!isCleanUTF8(bytes))
    }
  }
}
