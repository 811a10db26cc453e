/// Whether a refresh may return a new access token.
enum Renewability: UInt8, Sendable, CaseIterable {
  case never
  /// The access token itself is exchanged for the next one, so it has to be valid.
  case beforeExpiry
  case always

  /// Both times are Unix seconds. An unknown expiry counts as not reached.
  func isPossible(at now: Int, expiresAt: Int?) -> Bool {
    switch self {
    case .never: false
    case .beforeExpiry: expiresAt.map { $0 > now } ?? true
    case .always: true
    }
  }
}
