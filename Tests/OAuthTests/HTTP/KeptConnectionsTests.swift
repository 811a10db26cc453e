import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

@Suite struct KeptConnectionsTests {
  @Test func asManyAsAreInUseAreKept() {
    let start = ContinuousClock.now
    var kept = CurlLoop.KeptConnections(at: start)
    #expect(kept.limit == 8)
    #expect(kept.note(8, at: start) == nil)
    #expect(kept.note(64, at: start) == 64)
    // Some transfers have ended and others begin.
    #expect(kept.note(40, at: start + .seconds(9)) == nil)
    #expect(kept.note(50, at: start + .seconds(11)) == nil)
    #expect(kept.note(20, at: start + .seconds(19)) == nil)
    #expect(kept.note(20, at: start + .seconds(21)) == 50)
    #expect(kept.note(1, at: start + .seconds(32)) == 20)
    #expect(kept.note(1, at: start + .seconds(43)) == 8)
  }

  @Test func aLongLullForgetsAtOnce() {
    let start = ContinuousClock.now
    var kept = CurlLoop.KeptConnections(at: start)
    #expect(kept.note(64, at: start) == 64)
    #expect(kept.note(1, at: start + .seconds(60)) == 8)
  }
}
