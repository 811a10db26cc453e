/// A type that reads and describes itself by declaring its members.
package protocol FieldReadable: Sendable {
  init(_ fields: inout ObjectReader) throws(FieldError)
}
