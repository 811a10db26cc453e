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
      ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Tuesday, 31-Dec-74 00:00:00 GMT", 3_313_440_000),
      ("Tuesday, 01-Jan-75 00:00:00 GMT", 157_766_400),
      ("Saturday, 01-Jan-00 00:00:00 GMT", 946_684_800),
    ] as [(String, Int64)])
  func reads(text: String, seconds: Int64) throws {
    #expect(try HTTPDate(text, now: Self.now).unixSeconds == seconds)
  }

  @Test(
    arguments: [
      ("", .form), ("1994", .form), ("Sun, 6 Nov 1994 08:49:37 GMT", .form), ("Sun, 06 Nov 94 08:49:37 GMT", .form),
      ("Sun, 06 Nov 1994 08:49:37 UTC", .form), ("Sun, 06 Nov 1994 08:49:37 GMT ", .form), ("Sun, 06 nov 1994 08:49:37 GMT", .form),
      ("Sun, 06 Nov 1994 8:49:37 GMT", .form), ("Sun, 06 Nov 1994 08:49 GMT", .form), ("Son, 06 Nov 1994 08:49:37 GMT", .form),
      ("Sun, 06-Nov-1994 08:49:37 GMT", .form), ("Sun Nov 6 08:49:37 1994", .form), ("Sun Nov   6 08:49:37 1994", .form),
      ("Sun, 00 Nov 1994 08:49:37 GMT", .noSuchDay), ("Sun, 31 Nov 1994 08:49:37 GMT", .noSuchDay),
      ("Sun, 29 Feb 1900 08:49:37 GMT", .noSuchDay), ("Sun, 06 Nov 1994 24:00:00 GMT", .noSuchTime),
      ("Sun, 06 Nov 1994 23:60:00 GMT", .noSuchTime), ("Sun, 06 Nov 1994 23:00:61 GMT", .noSuchTime),
    ] as [(String, HTTPDate.Failure)])
  func refuses(text: String, failure: HTTPDate.Failure) {
    #expect(throws: failure) { try HTTPDate(text, now: Self.now) }
  }

  @Test func everyDayFollowsTheOneBefore() throws {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    var expected: Int64?
    var days = 0
    for year in 1999...2101 {
      for month in months {
        for day in 1...31 {
          let text = "Mon, \(day < 10 ? "0" : "")\(day) \(month) \(year) 00:00:00 GMT"
          let date: HTTPDate
          do throws(HTTPDate.Failure) {
            date = try HTTPDate(text, now: Self.now)
          } catch {
            #expect(error == .noSuchDay && day > 28)
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

  @Test func retryAfter() throws {
    #expect(try RetryAfter("120", now: Self.now) == .delay(120))
    #expect(try RetryAfter(" 0\t", now: Self.now).seconds(from: Self.now) == 0)
    #expect(try RetryAfter("99999999999999999999999", now: Self.now) == .delay(2_147_483_648))
    #expect(try RetryAfter("Mon, 06 May 2024 07:08:19 GMT", now: Self.now).seconds(from: Self.now) == 10)
    #expect(try RetryAfter("Sun, 06 Nov 1994 08:49:37 GMT", now: Self.now).seconds(from: Self.now) == 0)
    for text in ["", "-1", "1.5", "+3", "soon"] {
      #expect(throws: HTTPDate.Failure.form) { try RetryAfter(text, now: Self.now) }
    }
  }
}
