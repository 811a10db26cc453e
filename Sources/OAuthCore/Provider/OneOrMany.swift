import Jansson

/// One value or several, such as those of a query's name or of a token's audience.
package struct OneOrMany: FieldValue {
  package let values: [String]

  package static var schema: JSON {
    let scalar: JSON = ["type": ["string", "integer", "boolean"]]
    return ["anyOf": [scalar, ["type": "array", "items": scalar]]]
  }

  package static let placeholder = OneOrMany(values: [""])

  package static func read(_ json: JSON, at path: String) throws(FieldError) -> OneOrMany {
    guard case .array(let elements) = json else { return OneOrMany(values: [try scalar(json, at: path)]) }
    let values = try elements.enumerated().map { index, element throws(FieldError) in try scalar(element, at: "\(path)/\(index)") }
    return OneOrMany(values: values)
  }

  private static func scalar(_ json: JSON, at path: String) throws(FieldError) -> String {
    switch json {
    case .string(let value): return value
    case .integer(let value): return String(value)
    case .bool(let value): return value ? "true" : "false"
    default: throw FieldError(path, "must be a string, an integer or a boolean, not \(json.kind)")
    }
  }

  package func write(to writer: inout JSONWriter) { values.write(to: &writer) }
}
