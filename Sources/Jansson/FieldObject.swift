/// A nested object, read and described by its own declarations.
package protocol FieldObject: FieldValue, FieldReadable {}
