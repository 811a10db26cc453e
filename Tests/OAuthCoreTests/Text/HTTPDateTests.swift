import Testing

@testable import OAuthCore

@Suite struct HTTPDateTests {
  /// 2024-05-06 07:08:09 UTC.
  static let now: Int64 = 1_714_979_289

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Wed Nov 16 08:49:37 1994", 784_975_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Mon, 06 May 2024 07:08:09 GMT", 1_714_979_289), ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
      ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Tue, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
      ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
      ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Tuesday, 01-Jan-75 00:00:00 GMT", 157_766_400),
      ("Saturday, 01-Jan-00 00:00:00 GMT", 946_684_800),
    ] as [(String, Int64)])
  func reads(text: String, seconds: Int64) {
    #expect(HTTPDate(text)?.unixSeconds == seconds)
  }

  @Test(
    arguments: [
      "", "1994", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06 Nov 1994 08:49 GMT",
      "Son, 06 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT",
      "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 23:60:00 GMT", "Sun, 06 Nov 1994 23:00:61 GMT",
    ])
  func rejects(text: String) {
    #expect(HTTPDate(text) == nil)
  }

  @Test func everyDayFollowsTheOneBefore() {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    var expected: Int64?
    var days = 0
    for year in 1999...2101 {
      for month in months {
        for day in 1...31 {
          let text = "Mon, \(day < 10 ? "0" : "")\(day) \(month) \(year) 00:00:00 GMT"
          guard let date = HTTPDate(text) else {
            #expect(day > 28)
            continue
          }
          if let expected { #expect(date.unixSeconds == expected) }
          expected = date.unixSeconds + 86_400
          days += 1
        }
      }
    }
    #expect(days == 103 * 365 + 25)
  }

  @Test(
    arguments: [
      ("120", 120), (" 0\t", 0), ("99999999999999999999999", 2_147_483_648), ("Mon, 06 May 2024 07:08:19 GMT", 10),
      ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("", nil), ("-1", nil), ("1.5", nil), ("+3", nil), ("soon", nil),
    ] as [(String, Int?)])
  func retryAfter(text: String, seconds: Int?) {
    let response = HTTPResponse(status: 429, headers: [HTTPHeader("Retry-After", text)])
    #expect(RetryAfter.seconds(response, at: Int(Self.now)) == seconds)
  }
}
