/// Limits of instants in JSON and HTTP headers, in whole seconds since 1970.
package enum UnixSeconds {
  /// Up to the end of the year 9999. A later instant is a mistake or an attack, and sums with it may overflow.
  package static let instants = 0...253_402_300_799
}
