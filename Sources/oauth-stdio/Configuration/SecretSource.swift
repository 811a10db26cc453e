import Jansson
import OAuthCore

/// A client secret or key: a literal value, or its source.
enum SecretSource: FieldValue {
  case literal(Secret)
  case environment(String)
  case command([String])

  static var schema: JSON {
    func object(_ member: String, _ schema: JSON, named name: String) -> JSON {
      let properties = JSON.object([.init(member, schema)])
      let object: JSON = ["type": "object", "properties": properties, "required": [.string(member)], "additionalProperties": false]
      return object.named(name)
    }
    let words: JSON = ["type": "array", "items": ["type": "string"], "minItems": 1]
    return [
      "anyOf": [
        ["type": "string"], object("env", ["type": "string"], named: "SecretVariable"),
        object("command", words, named: "SecretCommand"),
      ]
    ]
  }

  static var placeholder: SecretSource { .environment("") }

  static func read(_ json: JSON, at path: String) throws(FieldError) -> SecretSource {
    switch json {
    case .string(let secret): return .literal(Secret(secret))
    case .object(let members) where members.count == 1 && members[0].name == "env":
      return .environment(try String.read(members[0].value, at: path + "/env"))
    case .object(let members) where members.count == 1 && members[0].name == "command":
      let words = try [String].read(members[0].value, at: path + "/command")
      guard !words.isEmpty else { throw FieldError(path + "/command", "must not be empty") }
      return .command(words)
    default: throw FieldError(path, "has to be a string, {\"env\": …} or {\"command\": […]}")
    }
  }

  func write(to writer: inout JSONWriter) { writer.null() }
}
