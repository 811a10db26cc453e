import Testing

@testable import HTTP
@testable import OAuthCore
@testable import Platform

@Suite struct ResponseHeadTests {
  private func head(_ lines: String...) -> ResponseHead {
    var head = ResponseHead()
    for line in lines { #expect(Array(line.utf8).withUnsafeBytes { head.take($0) }) }
    return head
  }

  @Test func aFoldedLineGoesOnWithTheValueBefore() {
    let head = head("HTTP/1.1 200 OK\r\n", "A: b\r\n", " c\r\n", "\td\r\n", "\r\n")
    #expect(head.headers == [HTTPHeader("A", "b c d")])
    #expect(head.isWhole)
  }

  @Test func aValueThatIsNotUTF8IsReadAsLatin1() {
    var head = head("HTTP/2 200\r\n")
    #expect([UInt8]([0x41, 0x3A, 0x20, 0xE9, 0x0D, 0x0A]).withUnsafeBytes { head.take($0) })
    #expect(head.headers == [HTTPHeader("A", "é")])
    #expect(head.status == 200)
  }

  @Test(arguments: [("3", "3", true), ("3", "4", false), ("3, 4", "3", false), ("3, 3", "3", true)])
  func twoLengthsAreRejected(_ first: String, _ second: String, isTaken: Bool) {
    var head = head("HTTP/1.1 200 OK\r\n", "Content-Length: \(first)\r\n", "content-length: \(second)\r\n")
    #expect([UInt8]("\r\n".utf8).withUnsafeBytes { head.take($0) } == isTaken)
  }

  @Test func onlyARealResponseEndsTheHead() {
    #expect(!head("HTTP/1.1 103 Early\r\n", "\r\n").isWhole)
    let trailed = head("HTTP/1.1 302 Found\r\n", "A: b\r\n", "\r\n", "HTTP/1.1 500 No\r\n", "Location: /x\r\n")
    #expect(trailed.status == 302)
    #expect(trailed.headers == [HTTPHeader("A", "b")])
  }

  @Test func severalBlanksPrecedeAStatus() {
    #expect(head("HTTP/1.1  200 OK\r\n").status == 200)
    #expect(head("HTTP/1.1   404\r\n").status == 404)
    #expect(head("HTTP/1.1 200\tOK\r\n").status == 200)
  }

  @Test func aFoldedLineReplacesNoStatus() {
    let found = head("HTTP/1.1 404 No\r\n", "X: a\r\n", " HTTP/1.1 200 OK\r\n", "HTTP/1.1: b\r\n", "\r\n")
    #expect(found.status == 404 && found.isWhole)
    #expect(found.headers == [HTTPHeader("X", "a HTTP/1.1 200 OK"), HTTPHeader("HTTP/1.1", "b")])
  }

  @Test(arguments: [
    "HTTP/1.1\r\n", "HTTP/1.1 \r\n", "HTTP/1.1 20\r\n", "HTTP/1.1 2000 OK\r\n", "HTTP/1.1 2x0 OK\r\n", "HTTP/1.1 \t200 OK\r\n",
  ])
  func aStatusHasThreeDigits(line: String) {
    var head = ResponseHead()
    let isTaken = Array(line.utf8).withUnsafeBytes { head.take($0) }
    #expect(!isTaken)
  }

  @Test(arguments: ["A\0B: c\r\n", "A: b\0c\r\n", " folded\r\n", "nocolon\r\n", " \r\n", "\0\r\n"])
  func aLineThatIsNoFieldIsRejected(line: String) {
    var head = head("HTTP/1.1 200 OK\r\n")
    let isTaken = Array(line.utf8).withUnsafeBytes { head.take($0) }
    #expect(!isTaken)
  }

  @Test(arguments: ["A: b\0c\r\n", " folded\r\n", "\tfolded\r\n", "nocolon\r\n", "\0\r\n", "A: b\r\n"])
  func aTrailerIsIgnored(line: String) {
    let found = head("HTTP/1.1 200 OK\r\n", "Transfer-Encoding: chunked\r\n", "\r\n", line)
    #expect(found.isWhole && found.headers == [HTTPHeader("Transfer-Encoding", "chunked")])
  }

  @Test func aLineOfBlanksEndsNoHead() {
    let found = head("HTTP/1.1 200 OK\r\n", "a: b\r\n", " \r\n", "c: d\n", "\n")
    #expect(found.isWhole && found.headers.map(\.name) == ["a", "c"])
  }

  @Test func theLengthIsThatOfTheBodyAsReceived() {
    #expect(head("HTTP/1.1 200 OK\r\n", "content-length: 12\r\n").length == 12)
    #expect(head("HTTP/1.1 200 OK\r\n", "Content-Length: 12\r\n", "Content-Encoding: gzip\r\n").length == nil)
    #expect(head("HTTP/1.1 200 OK\r\n", "Content-Length: -1\r\n").length == nil)
    #expect(head("HTTP/1.1 200 OK\r\n", "Content-Length: 99999999999999999999\r\n").length == nil)
    // The number of received bytes is added to it.
    #expect(head("HTTP/1.1 200 OK\r\n", "Content-Length: \(Int.max)\r\n").length == nil)
  }
}
