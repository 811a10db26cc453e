/// How many connections libcurl keeps open: the recent maximum of concurrent transfers.
/// With fewer, concurrent calls would close each other's connections and open new ones.
struct KeptConnections {
  /// A program uses a provider's three or four hosts. Each connection costs a descriptor and its TLS state.
  static let least = 8
  /// Milliseconds. A shorter lull closes no connection.
  private static let period = 10_000

  private(set) var limit = Self.least
  private var highest = 0
  /// The maximum of the previous period.
  private var before = 0
  private var began: Int

  /// Times are milliseconds of `uptime`.
  init(at now: Int) { began = now }

  /// Records the number of transfers in progress. Returns the new limit if it changes.
  mutating func note(_ transfers: Int, at now: Int) -> Int? {
    if now - began >= Self.period {
      before = now - began < Self.period * 2 ? highest : 0
      (highest, began) = (0, now)
    }
    highest = max(highest, transfers)
    let wanted = max(Self.least, highest, before)
    guard wanted != limit else { return nil }
    limit = wanted
    return wanted
  }
}
