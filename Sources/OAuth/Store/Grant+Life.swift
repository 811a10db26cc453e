import OAuthCore

extension Grant {
  /// Seconds before its expiry from which a token counts as expired, at most. A request needs time to reach the service.
  package static let longestMargin = 60

  /// Unix seconds.
  package var issuedAt: Int {
    get { issued.seconds }
    set { issued = Instant(seconds: newValue) }
  }

  /// Unix seconds; nil if the expiry is unknown.
  package var expiresAt: Int? {
    get { expires?.seconds }
    set { expires = newValue.map(Instant.init(seconds:)) }
  }

  /// Whether the access token is valid for more than `seconds`.
  /// Default: a minute, or a quarter of the lifetime if that is shorter. Otherwise a token of one minute would be refreshed at every use.
  /// A token without a known expiry is valid.
  package func lives(for seconds: Int? = nil, at now: Instant) -> Bool {
    left(at: now).map { $0 > seconds.map { $0 * 1000 } ?? margin } ?? true
  }

  /// Returns the milliseconds until the access token expires; nil if the expiry is unknown.
  func left(at now: Instant) -> Int? { expires.map { $0.milliseconds - now.milliseconds } }

  /// Milliseconds.
  private var margin: Int {
    guard let expires else { return 0 }
    return min(Self.longestMargin * 1000, max(0, expires.milliseconds - issued.milliseconds) / 4)
  }
}
