import Jansson

/// A path in a JSON value, as in a provider's description: member names and array indexes joined by dots, such as `errors.0.code`.
package struct DottedPath: FieldValue, Equatable {
  package let text: String
  package let parts: [String]

  /// Returns nil if a part is empty.
  package init?(_ text: String) {
    parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    self.text = text
    if parts.contains("") { return nil }
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

  package static var schema: JSON { ["type": "string", "pattern": #"^[^.]+(\.[^.]+)*$"#] }
  package static let placeholder = DottedPath(whole: "")

  private init(whole text: String) {
    self.text = text
    parts = []
  }

  package static func read(_ json: JSON, at path: String) throws(FieldError) -> DottedPath {
    guard let found = DottedPath(try String.read(json, at: path)) else { throw FieldError(path, "must be names joined by single dots") }
    return found
  }

  package func write(to writer: inout JSONWriter) { writer.string(text) }
}
