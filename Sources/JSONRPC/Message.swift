import Jansson

/// For params that contain another request's id.
extension RequestID: FieldValue {
  package static var schema: JSON { ["anyOf": [["type": "string"], ["type": "integer"]]] }
  package static var placeholder: RequestID { .null }

  package static func read(_ json: JSON, at path: String) throws(FieldError) -> RequestID {
    guard let id = RequestID(json) else { throw FieldError(path, "has to be a string or an integer, not \(json.kind)") }
    return id
  }

  package func write(to writer: inout JSONWriter) { writer.value(json) }
}
