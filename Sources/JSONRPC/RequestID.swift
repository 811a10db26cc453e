import Jansson

/// A request's id. Its type is kept: `2` and `"2"` are different ids.
package enum RequestID: Sendable, Hashable {
  case string(String)
  case integer(Int)
  /// Discouraged by the specification, but a valid request, answered with id `null`.
  case null

  package init?(_ json: JSON) {
    switch json {
    case .string(let value): self = .string(value)
    case .integer(let value): self = .integer(value)
    case .null: self = .null
    default: return nil
    }
  }

  package var json: JSON {
    switch self {
    case .string(let value): .string(value)
    case .integer(let value): .integer(value)
    case .null: .null
    }
  }
}

/// For params that contain another request's id.
extension RequestID: FieldValue {
  package static var schema: JSON { ["anyOf": [["type": "string"], ["type": "integer"]]] }
  package static var placeholder: RequestID { .null }

  package static func read(_ json: JSON, at path: String) throws(FieldError) -> RequestID {
    guard let id = RequestID(json) else { throw FieldError(path, "must be a string or an integer, not \(json.kind)") }
    return id
  }

  package func write(to writer: inout JSONWriter) { writer.value(json) }
}
