import Jansson

/// Checks a value by a schema of this project, with the process's documented leniencies for params.
///
/// An empty list may be an empty object and the other way round, and a whole number may have a fraction.
struct SchemaCheck {
  /// The first place that does not fit; nil if all fit.
  static func fault(_ json: JSON, _ schema: JSON, at path: String = "") -> String? {
    if let definition = schema["$definition"] { return fault(json, definition, at: path) }
    if let choices = schema["anyOf"]?.array, choices.allSatisfy({ fault(json, $0, at: path) != nil }) { return "\(path): no choice fits" }
    if let types = schema["type"].map({ $0.array ?? [$0] }), !types.contains(where: { isOf($0.string ?? "", json) }) {
      return "\(path): \(json.kind)"
    }
    if let words = schema["enum"]?.array, !words.contains(json) { return "\(path): not in the enum" }
    if let wanted = schema["const"], wanted != json { return "\(path): not the constant" }
    if let fault = sizeFault(json, schema) { return "\(path): \(fault)" }
    for (index, element) in (json.array ?? []).enumerated() {
      if let items = schema["items"], let fault = fault(element, items, at: "\(path)/\(index)") { return fault }
    }
    return memberFault(json, schema, path)
  }

  private static func isOf(_ type: String, _ json: JSON) -> Bool {
    switch (type, json) {
    case ("null", .null), ("boolean", .bool), ("integer", .integer), ("number", .integer), ("number", .real), ("string", .string),
      ("array", .array), ("object", .object):
      true
    case ("integer", .real(let value)): value == value.rounded()
    case ("object", .array(let elements)): elements.isEmpty
    case ("array", .object(let members)): members.isEmpty
    default: false
    }
  }

  private static func sizeFault(_ json: JSON, _ schema: JSON) -> String? {
    var number: Double?
    switch json {
    case .integer(let value): number = Double(value)
    case .real(let value): number = value
    case .string(let text):
      let count = text.unicodeScalars.count
      if let least = schema["minLength"]?.integer, count < least { return "too short" }
      if let most = schema["maxLength"]?.integer, count > most { return "too long" }
    default: break
    }
    guard let number else { return nil }
    if let least = schema["minimum"]?.integer, number < Double(least) { return "below the minimum" }
    if let most = schema["maximum"]?.integer, number > Double(most) { return "above the maximum" }
    return nil
  }

  private static func memberFault(_ json: JSON, _ schema: JSON, _ path: String) -> String? {
    let members = json.members ?? []
    if case .object? = Optional(json) {
      for name in schema["required"]?.array ?? [] where json[name.string ?? ""] == nil { return "\(path): \(name) is missing" }
    }
    for member in members {
      if let property = schema["properties"]?[member.name] {
        if let fault = fault(member.value, property, at: "\(path)/\(member.name)") { return fault }
      } else if schema["additionalProperties"] == false {
        return "\(path)/\(member.name): unknown"
      } else if let values = schema["additionalProperties"], values.members != nil {
        if let fault = fault(member.value, values, at: "\(path)/\(member.name)") { return fault }
      }
    }
    return nil
  }
}
