extension Grant {
  /// The longest time that a token counts as expired before its end, in seconds, so that it does not expire on its way to the service.
  package static let longestMargin = 60

  /// Unix seconds.
  package var issuedAt: Int {
    get { issued.seconds }
    set { issued = Instant(seconds: newValue) }
  }

  /// Unix seconds; nil where the end is not known.
  package var expiresAt: Int? {
    get { expires?.seconds }
    set { expires = newValue.map(Instant.init(seconds:)) }
  }

  /// Whether the access token is valid for more than `seconds`. Without `seconds` it counts as expired a minute before its end, or a quarter of its
  /// lifetime where that is shorter: else a token of a minute would be refreshed at every use. A token without a known end is valid.
  package func lives(for seconds: Int? = nil, at now: Instant) -> Bool {
    left(at: now).map { $0 > seconds.map { $0 * 1000 } ?? margin } ?? true
  }

  /// Milliseconds until the access token's end; nil where the end is not known.
  func left(at now: Instant) -> Int? { expires.map { $0.milliseconds - now.milliseconds } }

  /// Milliseconds.
  private var margin: Int {
    guard let expires else { return 0 }
    return min(Self.longestMargin * 1000, max(0, expires.milliseconds - issued.milliseconds) / 4)
  }
}
