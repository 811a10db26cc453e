import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

@Suite struct ConnectionLimitTests {
  @Test func asManyAsAreInUseAreKept() {
    let start = 7
    var kept = CurlLoop.ConnectionLimit(at: start)
    #expect(kept.limit == 8)
    #expect(kept.note(8, at: start) == nil)
    #expect(kept.note(64, at: start) == 64)
    // Some transfers have ended and others begin.
    #expect(kept.note(40, at: start + 9_000) == nil)
    #expect(kept.note(50, at: start + 11_000) == nil)
    #expect(kept.note(20, at: start + 19_000) == nil)
    #expect(kept.note(20, at: start + 21_000) == 50)
    #expect(kept.note(1, at: start + 32_000) == 20)
    #expect(kept.note(1, at: start + 43_000) == 8)
  }

  @Test func aLongLullForgetsAtOnce() {
    let start = 7
    var kept = CurlLoop.ConnectionLimit(at: start)
    #expect(kept.note(64, at: start) == 64)
    #expect(kept.note(1, at: start + 60_000) == 8)
  }
}
