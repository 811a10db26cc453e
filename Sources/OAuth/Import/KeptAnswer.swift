import Jansson

/// A token response (RFC 6749, 5.1) that another program stored.
struct KeptAnswer: Sendable, Equatable {
  /// An object.
  var json: JSON
  /// Its place in the params, for errors.
  package var path: String

}
