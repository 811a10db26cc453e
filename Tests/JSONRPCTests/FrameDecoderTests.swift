import JSONRPC
import Testing

/// Every stream is fed whole, in single bytes and in pieces of other sizes. The frames must be the same each time.
private let pieces: [Int?] = [nil, 1, 2, 3, 7, 64]

@Suite struct FrameDecoderTests {
  @Test(arguments: pieces)
  func framingsAreToldApartPerMessage(size: Int?) {
    let stream = "{1}\n" + framed("{2}") + framed("{3}") + "{4}\r\n\r\n" + framed("{5}") + "\n{6}\n" + framed("é")
    #expect(FrameDecoder.found(in: stream, pieces: size) == ["l:{1}", "h:{2}", "h:{3}", "l:{4}", "h:{5}", "l:{6}", "h:é"])
  }

  @Test(arguments: pieces)
  func linesMayEndInEitherWayOrNotAtAll(size: Int?) {
    #expect(FrameDecoder.found(in: "a\nb\r\nc", pieces: size) == ["l:a", "l:b", "l:c"])
    #expect(FrameDecoder.found(in: "a\r", pieces: size) == ["l:a"])
    #expect(FrameDecoder.found(in: "a\rb\n", pieces: size) == ["l:a\rb"])
  }

  @Test(arguments: pieces)
  func linesWithNothingInThemAreNoMessages(size: Int?) {
    #expect(FrameDecoder.found(in: "\n\r\n  \n\t \r\n{1}\n\n\n \t", pieces: size) == ["l:{1}"])
    #expect(FrameDecoder.found(in: "", pieces: size) == [])
    #expect(FrameDecoder.found(in: "\r", pieces: size) == [])
  }

  @Test(arguments: pieces)
  func aByteOrderMarkIsPassedOverOnceAndInFront(size: Int?) {
    #expect(FrameDecoder.found(in: "\u{FEFF}{1}\n\u{FEFF}{2}\n", pieces: size) == ["l:{1}", "l:\u{FEFF}{2}"])
    #expect(FrameDecoder.found(in: "\u{FEFF}" + framed("{1}"), pieces: size) == ["h:{1}"])
    #expect(FrameDecoder.found(in: "\u{FEFF}{1}", pieces: size) == ["l:{1}"])
    #expect(FrameDecoder.found(in: "\u{FEFF}", pieces: size) == [])
    #expect(FrameDecoder.found(in: "\u{FEFF}\n{1}\n", pieces: size) == ["l:{1}"])
  }

  @Test(arguments: pieces)
  func invalidJSONIsStillALine(size: Int?) {
    let found = FrameDecoder.found(in: "GET / HTTP/1.1\n\u{1}\u{2}\n: x\n1a: x\n{1}\n", pieces: size)
    #expect(found == ["l:GET / HTTP/1.1", "l:\u{1}\u{2}", "l:: x", "l:1a: x", "l:{1}"])
  }

  @Test(arguments: pieces)
  func bodiesAreNotParsedForFraming(size: Int?) {
    for body in ["a\n\nb", "Content-Length: 3\r\n\r\nabc", "\n", " ", "\u{FEFF}", "a\0b", "{}\r\n"] {
      #expect(FrameDecoder.found(in: framed(body) + framed("x") + "y\n", pieces: size) == ["h:\(body)", "h:x", "l:y"])
    }
    #expect(FrameDecoder.found(in: framed("") + "y\n", pieces: size) == ["h:", "l:y"])
  }

  @Test(arguments: pieces)
  func aLengthCountsBytes(size: Int?) {
    #expect(FrameDecoder.found(in: "Content-Length: 6\r\n\r\né€1" + "y\n", pieces: size) == ["h:é€1", "l:y"])
  }

  @Test(arguments: pieces)
  func halfAMessageAtTheEndIsAFault(size: Int?) {
    let whole = framed("{12345}")
    for count in "Content-Length:".utf8.count..<whole.utf8.count {
      let half = String(decoding: whole.utf8.prefix(count), as: UTF8.self)
      #expect(FrameDecoder.found(in: "{1}\n" + half, pieces: size) == ["l:{1}", "h!-32700"], "\(half)")
    }
    #expect(FrameDecoder.found(in: "{1}\n" + whole, pieces: size) == ["l:{1}", "h:{12345}"])
  }

  /// The half may contain line ends, which belong to no further message.
  @Test(arguments: pieces)
  func halfABodyWithLinesAtTheEndIsOneFault(size: Int?) {
    for body in ["\n", "{\n", "{\r\n}\n\n", "\n{1}\n{2}"] {
      #expect(FrameDecoder.found(in: "{1}\nContent-Length: 30\r\n\r\n" + body, pieces: size) == ["l:{1}", "h!-32700"])
    }
  }

  @Test func aLineIsReturnedAsSoonAsItHasEnded() {
    var decoder = FrameDecoder()
    decoder.feed("{1}\n{2".utf8)
    #expect(decoder.next()?.short == "l:{1}")
    #expect(decoder.next() == nil)
    decoder.feed("}\n".utf8)
    #expect(decoder.next()?.short == "l:{2}")
    #expect(decoder.next() == nil)
    decoder.feed(framed("{3}").utf8)
    #expect(decoder.next()?.short == "h:{3}")
    #expect(decoder.next() == nil)
  }

  @Test func theLastFrameIsReturnedOnce() {
    var decoder = FrameDecoder()
    decoder.feed("{1}\n{2}".utf8)
    #expect(decoder.finish()?.short == "l:{1}")
    #expect(decoder.finish()?.short == "l:{2}")
    #expect(decoder.finish() == nil)
    #expect(decoder.finish() == nil)
  }

  @Test(arguments: pieces)
  func pinnedToLinesAHeaderIsALine(size: Int?) {
    #expect(FrameDecoder.found(in: framed("{1}") + "\nX: 1", pieces: size, pinned: .lines) == ["l:Content-Length: 3", "l:{1}", "l:X: 1"])
  }

  @Test(arguments: pieces)
  func pinnedToHeadersEverythingIsAnsweredWithHeaders(size: Int?) {
    #expect(FrameDecoder.found(in: framed("{1}") + "{2}\n" + framed("{3}"), pieces: size, pinned: .headers) == ["h:{1}", "h:{2}", "h:{3}"])
    let long = String(repeating: "x", count: FrameDecoder.messageLimit + 1)
    #expect(FrameDecoder.found(in: long + "\n{1}\n", pinned: .headers) == ["h!-32600", "h:{1}"])
  }

  @Test func framesAreWhatEveryClientReads() {
    #expect(Framing.lines.frame(Array("é".utf8)) == Array("é\n".utf8))
    #expect(Framing.headers.frame(Array("é".utf8)) == Array("Content-Length: 2\r\n\r\né".utf8))
    #expect(Framing.headers.frame([]) == Array("Content-Length: 0\r\n\r\n".utf8))
    let stream = Framing.headers.frame(Array("{1}".utf8)) + Framing.lines.frame(Array("{2}".utf8))
    #expect(FrameDecoder.frames(in: stream).map(\.short) == ["h:{1}", "l:{2}"])
  }
}
