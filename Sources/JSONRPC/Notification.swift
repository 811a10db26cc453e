import Synchronization

extension Event {
  /// The event's name, as in `AccessTokenWasRevoked`.
  package static var schemaName: String? { name.prefix(1).uppercased() + name.dropFirst() }
}
