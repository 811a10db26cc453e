import CPlatform
import Platform

/// A date in an HTTP field (RFC 9110 §5.6.7): IMF-fixdate, or the obsolete formats of RFC 850 and asctime.
package struct HTTPDate: Hashable, Sendable {
  /// Seconds since 1970-01-01 00:00:00 UTC.
  package let unixSeconds: Int64

  private static let forms = ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"]

  /// Returns nil for another format, a day or time that does not exist, or a year before 1900. The weekday is not checked against the date.
  package init?(_ text: String) {
    let dates = Self.forms.lazy.compactMap { form -> tm? in
      var date = tm()
      return text.withCString { strptime($0, form, &date)?.pointee == 0 } ? date : nil
    }
    guard let date = dates.first, let seconds = Self.seconds(of: date) else { return nil }
    unixSeconds = Int64(seconds)
  }

  /// Returns the Unix seconds of a day and a time in UTC; nil if one of them does not exist, or the year is before 1900.
  static func seconds(of date: tm) -> Int? {
    var minute = date
    minute.tm_sec = 0
    let seconds = timegm(&minute) + Int(date.tm_sec)
    // A day that does not exist has become one of another month. 60 is a leap second (RFC 9110 §5.6.7): the first second of the next minute.
    return minute.tm_mday == date.tm_mday && date.tm_sec <= 60 && date.tm_year >= 0 ? seconds : nil
  }
}
