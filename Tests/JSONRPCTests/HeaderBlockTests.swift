import JSONRPC
import Testing

private let pieces: [Int?] = [nil, 1, 5]

@Suite struct HeaderBlockTests {
  @Test(arguments: [
    "Content-Length: 3\r\n\r\n", "content-length:3\r\n\r\n", "CONTENT-LENGTH: \t 3 \t\n\n", "cOnTeNt-LeNgTh: 003\r\n\n",
    "Content-Length: 3\n\r\n", "X-Unknown: a: b\r\nContent-Length: 3\r\nAnother:\r\n\r\n", "Content-Length: 3\r\nContent-Length: 3\r\n\r\n",
    "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 3\r\n\r\n",
    "Content-Length: 3\r\nContent-Type: application/vscode-jsonrpc;charset=utf8\r\n\r\n",
    "Content-Length: 3\r\ncontent-type: application/json; x=y; CHARSET=\"UTF-8\"\r\n\r\n",
    "Content-Length: 3\r\nContent-Type: application/json\r\n\r\n",
    "Content-Length: 3\r\nX-Not-UTF-8: \u{e9}\r\n\r\n", "-: x\r\nContent-Length: 3\r\n\r\n",
  ])
  func spellingsThatAreTaken(header: String) {
    for size in pieces {
      #expect(FrameDecoder.found(in: header + "{1}" + header + "{2}{3}\n", pieces: size) == ["h:{1}", "h:{2}", "l:{3}"])
    }
  }

  @Test(arguments: [
    "", "-3", "+3", "3.0", "0x3", "1e1", "three", "3 3", "3 x", "3,3", "٣", "3\u{e9}", "99999999999999999999999", "9223372036854775808",
    "9223372036854775807", "18446744073709551619", "4294967299", "1073741825", "3\r\nContent-Length: 4", "3\r\nContent-Length: x",
  ])
  func invalidLengths(value: String) {
    for size in pieces {
      let stream = "Content-Length: \(value)\r\n\r\n{1}\n" + framed("{2}")
      #expect(FrameDecoder.found(in: stream, pieces: size) == ["h!-32600", "l:{1}", "h:{2}"])
    }
  }

  @Test func aBlockWithoutALengthIsAFault() {
    for size in pieces {
      #expect(FrameDecoder.found(in: "X-Y: 1\r\n\r\n{1}\n", pieces: size) == ["h!-32600", "l:{1}"])
      #expect(FrameDecoder.found(in: "Content-Type: x; charset=utf-8\n\n" + framed("{1}"), pieces: size) == ["h!-32600", "h:{1}"])
    }
  }

  @Test(arguments: ["utf-16", "iso-8859-1", "\"us-ascii\"", "utf-80", ""])
  func otherCharsetsAreRejectedWithTheirMessage(charset: String) {
    let header = "Content-Length: 3\r\nContent-Type: application/json; charset=\(charset)\r\n\r\n"
    for size in pieces {
      #expect(FrameDecoder.found(in: header + "{1}" + framed("{2}") + "{3}\n", pieces: size) == ["h!-32600", "h:{2}", "l:{3}"])
    }
  }

  @Test func aLineThatIsNoHeaderIsReadAsAMessage() {
    for size in pieces {
      #expect(FrameDecoder.found(in: "Content-Length: 3\r\n{\"a\":1}\n{2}\n", pieces: size) == ["h!-32600", "l:{\"a\":1}", "l:{2}"])
      #expect(FrameDecoder.found(in: "Error: no\nsuch thing\n{2}\n", pieces: size) == ["h!-32600", "l:such thing", "l:{2}"])
    }
  }

  @Test func aLengthThatIsTooSmallCostsItsMessageAndNoOther() {
    for size in pieces {
      let stream = "Content-Length: 2\r\n\r\n{123}" + framed("{2}") + framed("{3}") + "{4}\n"
      #expect(FrameDecoder.found(in: stream, pieces: size) == ["h:{1", "h:23}", "h:{2}", "h:{3}", "l:{4}"])
      let lineBehind = "Content-Length: 2\r\n\r\n{123}\n{2}\n"
      #expect(FrameDecoder.found(in: lineBehind, pieces: size) == ["h:{1", "l:23}", "l:{2}"])
    }
  }

  @Test func aLengthThatIsTooLargeCostsTheNextMessageAtMost() {
    let next = framed("{2}")
    for size in pieces {
      for excess in 1...next.utf8.count {
        let stream = "Content-Length: \(3 + excess)\r\n\r\n{1}" + next + framed("{3}") + framed("{4}") + "{5}\n"
        let found = FrameDecoder.found(in: stream, pieces: size)
        #expect(found.first == "h:{1}" + String(decoding: next.utf8.prefix(excess), as: UTF8.self))
        #expect(found.suffix(3) == ["h:{3}", "h:{4}", "l:{5}"], "\(excess)")
      }
    }
  }

  @Test func aLengthInsideAMessageIsNoHeader() {
    for line in [#"{"Content-Length: 3":1}"#, #"["x Content-Length: 3"]"#, #""Content-Length: 3 ""#] {
      #expect(FrameDecoder.found(in: line + "\n{1}\n") == ["l:\(line)", "l:{1}"])
    }
    #expect(FrameDecoder.found(in: "x Content-Length: 3\n{1}\n", pinned: .lines) == ["l:x Content-Length: 3", "l:{1}"])
  }

  @Test func aBlockThatNeverEndsIsGivenUp() {
    for size in [nil, 1, 4096] {
      // One line: reported once, then skipped.
      let line = "X-Long: " + String(repeating: "a", count: 100_000)
      #expect(FrameDecoder.found(in: line + "\n{1}\n", pieces: size) == ["h!-32600", "l:{1}"])
      #expect(FrameDecoder.found(in: "A: b\n" + line + "\n{1}\n", pieces: size) == ["h!-32600", "l:{1}"])
      #expect(FrameDecoder.found(in: "A: b\n" + line, pieces: size) == ["h!-32600"])
      // Many lines: at most one fault for every 8 KiB.
      let many = FrameDecoder.found(in: String(repeating: "X-Many: abc\r\n", count: 2000) + "\r\n{1}\n", pieces: size)
      #expect(many.last == "l:{1}" && (3...5).contains(many.count) && many.dropLast().allSatisfy { $0 == "h!-32600" })
    }
  }

  @Test func aBlockOfLessThan8KiBIsTaken() {
    let header = "X-Long: " + String(repeating: "a", count: 8000) + "\r\nContent-Length: 3\r\n\r\n"
    for size in pieces { #expect(FrameDecoder.found(in: header + "{1}", pieces: size) == ["h:{1}"]) }
  }
}
