import Jansson

/// A request after the sign-in whose answer says more of the account: a tenant or a data centre that later URLs and headers name.
package struct AccountLookup: FieldObject {
  package static let placeholder = AccountLookup()

  package var url = ""
  package var variables = NamedValues<DottedPath>()

  private init() {}

  package init(_ fields: inout Fields) throws(FieldError) {
    url = try fields.required("url", "The URL that is requested by GET, with the access token.")
    variables = try fields.required(
      "variables",
      "The names that the JSON answer fills, with the dotted path of each value. A value that `variables` already has is kept.")
    if fields.isDescribing { return }
    try fields.check(endpoint: url, "url")
    if variables.pairs.isEmpty { throw FieldError(fields.pointer("variables"), "must not be empty") }
    for (name, _) in variables.pairs where name.isEmpty || name == "clientId" {
      throw FieldError(Fields.pointer(to: name, in: fields.pointer("variables")), "cannot be filled by an answer")
    }
  }

  var names: [String] { variables.pairs.map(\.name) }

  /// The values that an answer names; a missing one, or one that is no short text, is left out.
  func values(in answer: JSON) -> NamedValues<String> {
    NamedValues(variables.pairs.compactMap { name, path in path.value(in: answer)?.attributeText.map { (name, $0) } })
  }

  package func write(to writer: inout JSONWriter) { writer.null() }
}
