/// Instants as JSON and HTTP headers give them, in whole seconds since 1970.
enum UnixSeconds {
  /// Up to the end of the year 9999: what lies beyond is no instant but a mistake or an attack, and sums with it need not fit into an integer.
  static let instants = 0...253_402_300_799
}
