import Jansson

/// A place inside a JSON value, as a provider's description names it: member names joined by dots, arrays by index, such as `errors.0.code`.
package struct DottedPath: FieldValue, Equatable {
  package let text: String
  let parts: [String]

  /// nil where a part is empty, which names nothing.
  package init?(_ text: String) {
    parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    self.text = text
    if parts.contains("") { return nil }
  }

  /// What the last part says: the name that a value found there goes by.
  package var name: String { parts.last ?? "" }

  /// The value at this place; nil where the way to it breaks off.
  package func value(in json: JSON) -> JSON? {
    parts.reduce(json) { (found: JSON?, part) in
      switch found {
      case .object?: found?[part]
      case .array(let elements)?: Int(part).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      default: nil
      }
    }
  }

  /// The same place as a JSON pointer (RFC 6901).
  var pointer: String { parts.reduce("") { Fields.pointer(to: $1, in: $0) } }

  package static var schema: JSON { ["type": "string", "pattern": #"^[^.]+(\.[^.]+)*$"#] }
  package static let placeholder = DottedPath(whole: "")

  private init(whole text: String) {
    self.text = text
    parts = []
  }

  package static func read(_ json: JSON, at path: String) throws(FieldError) -> DottedPath {
    guard let found = DottedPath(try String.read(json, at: path)) else { throw FieldError(path, "has to be names joined by single dots") }
    return found
  }

  package func write(to writer: inout JSONWriter) { writer.string(text) }
}
