import Jansson

/// The configuration file: accounts by name, each with default params of `authorize`.
struct Configuration: FieldReadable {
  var accounts: NamedValues<ConfiguredEntry>

  init(_ fields: inout ObjectReader) throws(FieldError) {
    accounts = try fields.optional(
      "accounts", default: .init(),
      "The accounts by name. The members of an account are defaults for the params of `authorize`, except `privateKey`.")
    let _: String? = try fields.optional("$schema", "The URL of the schema with which an editor checks this file.")
  }
}
