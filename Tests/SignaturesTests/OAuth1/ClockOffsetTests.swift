import Testing

@testable import OAuthCore
@testable import Signatures

@Suite struct ClockOffsetTests {
  /// 1994-11-06 08:49:37 UTC.
  static let server: Int64 = 784_111_777
  static let date = HTTPHeader("Date", "Sun, 06 Nov 1994 08:49:37 GMT")

  private func correction(_ body: String, ahead: Int64, date: HTTPHeader? = Self.date) throws -> Int64? {
    let response = OAuth1Fixture.response(401, body, headers: date.map { [$0] } ?? [])
    let problem = try #require(OAuth1Problem(response, sent: OAuth1Fixture.request()))
    return ClockOffset.correcting(problem, response, now: Self.server + ahead)
  }

  @Test func date() {
    let response = OAuth1Fixture.response(200, "", headers: [Self.date])
    #expect(ClockOffset.byDate(of: response, now: Self.server + 90) == -90)
    #expect(ClockOffset.byDate(of: OAuth1Fixture.response(200, ""), now: 0) == nil)
    #expect(ClockOffset.byDate(of: OAuth1Fixture.response(200, "", headers: [HTTPHeader("Date", "soon")]), now: 0) == nil)
  }

  @Test func aTimestampThatWasRejected() throws {
    #expect(try correction("oauth_problem=timestamp_refused", ahead: 40) == -40)
    #expect(try correction("oauth_problem=timestamp_refused", ahead: 0) == nil)
    #expect(try correction("oauth_problem=timestamp_refused", ahead: 40, date: nil) == nil)
    #expect(try correction("oauth_problem=timestamp_refused", ahead: 40, date: HTTPHeader("Date", "?")) == nil)
  }

  @Test func aRejectionThatSaysNothing() throws {
    #expect(try correction("", ahead: 299) == nil)
    #expect(try correction("", ahead: 301) == -301)
    #expect(try correction("oauth_problem=signature_invalid", ahead: -4000) == 4000)
  }
}
