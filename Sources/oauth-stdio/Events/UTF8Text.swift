import Jansson

/// A string that is known to be valid UTF-8. It is kept as bytes, so a body of megabytes is not converted twice.
struct UTF8Text: FieldValue {
  static var schema: JSON { ["type": "string"] }
  static var placeholder: UTF8Text { UTF8Text([]) }

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func read(_ json: JSON, at path: String) throws(FieldError) -> UTF8Text {
    UTF8Text(Array(try String.read(json, at: path).utf8))
  }

  func write(to writer: inout JSONWriter) { writer.string(utf8: bytes) }
}
