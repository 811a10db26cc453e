import Jansson
import OAuth

/// One account of the configuration, or its fault. A fault affects only its own account.
struct ConfiguredEntry: FieldValue {
  static var schema: JSON { ConfiguredAccount.schema }
  static var schemaName: String? { ConfiguredAccount.schemaName }
  static var placeholder: ConfiguredEntry { ConfiguredEntry(account: .success(.placeholder)) }

  let account: Result<ConfiguredAccount, FieldError>

  static func read(_ json: JSON, at path: String) -> ConfiguredEntry {
    ConfiguredEntry(account: Result { () throws(FieldError) in try ConfiguredAccount.read(json, at: path) })
  }

  func write(to writer: inout JSONWriter) { writer.null() }
}
