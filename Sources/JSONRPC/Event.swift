import Jansson

/// An event: a name and the members that it has besides `seq`.
package protocol Event: JSONObjectConvertible {
  static var name: String { get }
  static var summary: String { get }
}
