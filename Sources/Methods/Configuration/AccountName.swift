import Jansson

/// The name that a grant is stored under.
struct AccountName: FieldValue {
  /// In bytes. The name becomes part of a file's name.
  private static let limit = 200

  static var schema: JSON { ["type": "string", "minLength": 1, "maxLength": .integer(limit)] }
  static var placeholder: AccountName { AccountName(value: "account") }

  let value: String

  static func read(_ json: JSON, at path: String) throws(FieldError) -> AccountName {
    let name = try String.read(json, at: path)
    guard !name.isEmpty else { throw FieldError(path, "must not be empty") }
    guard name.utf8.count <= limit else { throw FieldError(path, "must not be longer than \(limit) bytes") }
    guard !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw FieldError(path, "must not contain control characters") }
    return AccountName(value: name)
  }

  func write(to writer: inout JSONWriter) { writer.string(value) }
}

extension ObjectReader {
  /// Reads the member `account`, which nearly every method has.
  mutating func account() throws(FieldError) -> String {
    let name: AccountName = try required("account", "The account's name, of at most 200 bytes in UTF-8.")
    return name.value
  }
}
