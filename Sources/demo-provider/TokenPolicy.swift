/// The rules for the tokens of one response.
struct TokenPolicy: Sendable {
  /// The lifetime of an access token in seconds.
  let lifetime: Int
  /// Whether a refresh replaces the refresh token.
  let rotates: Bool

  /// Takes the lifetime from the mode and the rotation from the query, in which `rotate=0` turns it off.
  init(_ call: Call) {
    // One hour is the usual lifetime.
    lifetime = call.mode.flatMap { $0.name == .expires ? $0.number : nil } ?? 3600
    rotates = call.request.query["rotate"] != "0"
  }
}
