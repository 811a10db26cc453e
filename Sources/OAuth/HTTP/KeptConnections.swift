/// How many connections libcurl keeps for later: as many as transfers were under way at once a moment ago. With fewer, calls that run beside each other
/// would close each other's connections and open new ones.
struct KeptConnections {
  /// A program talks to a provider's three or four hosts, and each connection costs a descriptor and its TLS state.
  static let least = 8
  /// A lull that is shorter than this closes no connection.
  private static let period = Duration.seconds(10)

  private(set) var limit = Self.least
  private var highest = 0
  /// The highest of the period before.
  private var before = 0
  private var began: ContinuousClock.Instant

  init(at now: ContinuousClock.Instant) { began = now }

  /// Takes the number of transfers under way; the new limit where it changes.
  mutating func note(_ transfers: Int, at now: ContinuousClock.Instant) -> Int? {
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
