import Jansson

/// An empty object: `{}`.
package struct Empty: JSONObjectConvertible {
  package static let schemaName: String? = "Empty"
  package static var sample: Empty { Empty() }
  package init() {}
  package func list(_ members: inout ObjectWriter) {}
}
