import Jansson
import Synchronization

/// An event: a name and the members that it has besides `seq`.
package protocol Event: JSONObjectConvertible {
  static var name: String { get }
  static var summary: String { get }
  /// The event for a person; empty if it tells nothing that the result does not.
  var lines: [String] { get }
}

extension Event {
  package var lines: [String] { [] }

  /// The event's name, as in `AccessTokenWasRevoked`.
  package static var schemaName: String? { name.prefix(1).uppercased() + name.dropFirst() }
}
