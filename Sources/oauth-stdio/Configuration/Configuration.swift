import Jansson
import OAuth

/// The configuration file: accounts by name, each with default params of `authorize`.
struct Configuration: FieldReadable {
  /// One account of the configuration, or its fault. A fault affects only its own account.
  struct Entry: FieldValue {
    static var schema: JSON { ConfiguredAccount.schema }
    static var schemaName: String? { ConfiguredAccount.schemaName }
    static var placeholder: Entry { get throws(FieldError) { Entry(account: .success(try .placeholder)) } }

    let account: Result<ConfiguredAccount, FieldError>

    static func read(_ json: JSON, at path: String) -> Entry {
      Entry(account: Result { () throws(FieldError) in try ConfiguredAccount.read(json, at: path) })
    }

    func write(to writer: inout JSONWriter) { writer.null() }
  }

  var accounts: NamedValues<Entry>
  /// Where the key of a new store is kept.
  var key: KeySource?

  init(_ fields: inout ObjectReader) throws(FieldError) {
    accounts = try fields.optional(
      "accounts", default: .init(),
      "The accounts by name. The members of an account are defaults for the params of `authorize`, except `privateKey`.")
    let key: String? = try fields.optional(
      "key",
      "Where the key of a new store is kept: `file` (beside the grants), `keyring`, or `command:…`, a shell command that prints the key in base64. "
        + "The method `rekey` moves the key of a store that has one.")
    if let key {
      guard let source = KeySource(key) else { throw FieldError(fields.pointer("key"), "must be file, keyring or command:…") }
      self.key = source
    }
    let _: String? = try fields.optional("$schema", "The URL of the schema with which an editor checks this file.")
  }
}
