import Jansson

/// A path in a JSON value, as in a provider's description: member names and array indexes joined by dots, such as `errors.0.code`, or as a list, where
/// a name may have dots.
package struct DottedPath: FieldValue, Equatable {
  package let parts: [String]

  package init?(_ text: String) { self.init(text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)) }

  /// Returns nil if a part is empty.
  private init?(_ parts: [String]) {
    self.parts = parts
    if parts.isEmpty || parts.contains("") { return nil }
  }

  /// The last part, which names the value.
  package var name: String { parts.last ?? "" }

  /// Returns the value at this path; nil if there is none.
  package func value(in json: JSON) -> JSON? {
    parts.reduce(json) { (found: JSON?, part) in
      switch found {
      case .object?: found?[part]
      case .array(let elements)?: Int(part).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      default: nil
      }
    }
  }

  /// The path as a JSON pointer (RFC 6901).
  package var pointer: String { parts.reduce("") { ObjectReader.pointer(to: $1, in: $0) } }

  package static var schema: JSON {
    let list: JSON = ["type": "array", "items": ["type": "string"], "minItems": 1]
    return ["anyOf": [["type": "string", "pattern": #"^[^.]+(\.[^.]+)*$"#], list]]
  }
  package static var placeholder: DottedPath { get throws(FieldError) { try read("path", at: "") } }

  package static func read(_ json: JSON, at path: String) throws(FieldError) -> DottedPath {
    let found = json.array == nil ? DottedPath(try String.read(json, at: path)) : DottedPath(try [String].read(json, at: path))
    guard let found else { throw FieldError(path, "must be names joined by single dots, or a list of names") }
    return found
  }

  package func write(to writer: inout JSONWriter) { parts.write(to: &writer) }
}
