/// Why a text was rejected. Only jansson's code and position are used, because its error text quotes the input, which may be secret.
package enum JSONFault: Error, Sendable, Equatable {
  /// Not JSON, or not UTF-8; `position` counts bytes from 0.
  case syntax(position: Int, Syntax = .malformed)
  /// An object names a member twice, so two readers could take different values.
  case duplicateMember(position: Int)
  /// A member's name contains U+0000.
  case nulInName(position: Int)
  case tooDeep(limit: Int)
  /// Valid JSON with a number beyond 64 bits. `rest` is the same tree with every integer as a double, for reading the envelope's id.
  case numberOutOfRange(rest: JSON?)

  /// How a text violates the JSON syntax.
  package enum Syntax: Sendable, Equatable { case malformed, notUTF8, endsEarly, goesOn }
}
