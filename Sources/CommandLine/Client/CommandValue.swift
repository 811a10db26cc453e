import Jansson
import Methods
import Platform

/// Turns a text of the command line into the JSON value that a param's schema allows.
enum CommandValue {
  /// The types of JSON that a schema allows, besides null.
  struct Kinds {
    private var names: Set<String> = []

    init(_ schema: JSON) { add(SchemaDefinitions.whole(schema)) }

    private mutating func add(_ schema: JSON) {
      let parts = (schema["anyOf"] ?? schema["oneOf"])?.array
      for part in parts ?? [] { add(SchemaDefinitions.whole(part)) }
      switch schema["type"] {
      case .string(let name): names.insert(name)
      case .array(let types): names.formUnion(types.compactMap(\.string))
      default:
        // An empty schema allows every value.
        if parts == nil { names.formUnion(["string", "number", "boolean", "array", "object"]) }
      }
      names.remove("null")
    }

    func contains(_ name: String) -> Bool { names.contains(name) || name == "number" && names.contains("integer") }

    /// Whether the param is true or false, so that its name alone means true.
    var isSwitch: Bool { names == ["boolean"] }
  }

  /// In bytes. The largest file or input for a param.
  private static let inputLimit = 16 << 20

  /// A text of the command line. A literal one, which stands after `--`, names no file.
  struct Text {
    let text: String
    var isLiteral = false
  }

  /// Returns the value that `texts` stand for. A param with several texts takes a list.
  static func json(_ texts: [Text], _ schema: JSON, _ option: String) throws(Options.Fault) -> JSON {
    let kinds = Kinds(schema)
    let values = try texts.map { each throws(Options.Fault) in
      try json(each.isLiteral ? each.text : try content(each.text, option), kinds, schema, option)
    }
    return texts.count == 1 ? values[0] : .array(values.flatMap { $0.array ?? [$0] })
  }

  private static func json(_ text: String, _ kinds: Kinds, _ schema: JSON, _ option: String) throws(Options.Fault) -> JSON {
    switch text.first(where: { !$0.isWhitespace }) {
    // rclone's configuration begins like an array.
    case "[" where kinds.contains("array") && kinds.contains("string") && (try? JSON.parse(Array(text.utf8))) == nil: break
    case "{" where kinds.contains("object"), "[" where kinds.contains("array"): return try parsed(text, option)
    default: break
    }
    // A file in PEM has a certificate and its key.
    let forms = (schema["anyOf"]?.array ?? [schema]).map(SchemaDefinitions.whole)
    if forms.contains(where: { $0["properties"]?["certificate"] != nil }), text.contains("-----BEGIN CERTIFICATE-----") {
      return ["certificate": .string(text)]
    }
    if kinds.contains("number"), let value = try? JSON.parse(Array(text.utf8)) {
      switch value {
      case .integer, .real: return value
      default: break
      }
    }
    if kinds.contains("boolean"), text == "true" || text == "false" { return .bool(text == "true") }
    if kinds.contains("string") { return .string(text) }
    if kinds.contains("array") {
      let items = elements(of: schema)
      return .array([try json(text, Kinds(items), items, option)])
    }
    if kinds.contains("number") { throw Options.Fault("\(option) must be a number") }
    if kinds.isSwitch { throw Options.Fault("\(option) must be true or false") }
    throw Options.Fault("\(option) must be JSON, such as '{\"name\":\"value\"}'")
  }

  /// Returns the words of which a param must be one; none if it has no such list.
  static func words(_ schema: JSON) -> [String] {
    let whole = SchemaDefinitions.whole(schema)
    let own = whole["enum"]?.array?.compactMap(\.string) ?? []
    return own + (whole["anyOf"]?.array ?? []).flatMap { words($0) }
  }

  private static func elements(of schema: JSON) -> JSON {
    let whole = SchemaDefinitions.whole(schema)
    if let items = whole["items"] { return items }
    return (whole["anyOf"]?.array ?? []).lazy.compactMap { SchemaDefinitions.whole($0)["items"] }.first ?? .object([])
  }

  private static func parsed(_ text: String, _ option: String) throws(Options.Fault) -> JSON {
    do throws(JSONFault) {
      return try JSON.parse(Array(text.utf8))
    } catch {
      let place = if case .syntax(let position, _) = error { " at byte \(position + 1)" } else { "" }
      throw Options.Fault("\(option) is not valid JSON: look at the text\(place)")
    }
  }

  /// Returns the text, or the content of the file that `@` names, or of standard input for `-`. `@@` stands for a text that begins with `@`.
  static func content(_ text: String, _ option: String) throws(Options.Fault) -> String {
    if text.hasPrefix("@@") { return String(text.dropFirst()) }
    guard text == "-" || text.hasPrefix("@") else { return text }
    var bytes: [UInt8]
    do throws(Options.Fault) {
      bytes = try read(text == "-" ? "-" : String(text.dropFirst()))
    } catch {
      throw Options.Fault("\(option): \(error.message)")
    }
    // Editors and echo end a file with a line end that belongs to no value.
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard let found = String(validating: bytes, as: UTF8.self) else { throw Options.Fault("\(option): the content is not UTF-8") }
    return found
  }

  /// Returns the text so that it names no file.
  static func quoted(_ text: String) -> String { text.hasPrefix("@") ? "@" + text : text }

  /// Returns the content of a file, or of standard input for `-`.
  private static func read(_ name: String) throws(Options.Fault) -> [UInt8] {
    let shown = name == "-" ? "standard input" : "the file \(name.plain)"
    let descriptor = name == "-" ? 0 : open(name, O_RDONLY | O_CLOEXEC)
    defer { if descriptor > 0 { close(descriptor) } }
    do throws(PosixFile.Fault) {
      guard descriptor >= 0 else { throw PosixFile.Fault(path: name, code: errno) }
      return try PosixFile.content(of: descriptor, name, limit: inputLimit)
    } catch {
      throw Options.Fault("\(shown) cannot be read: \(error.reason)")
    }
  }
}
