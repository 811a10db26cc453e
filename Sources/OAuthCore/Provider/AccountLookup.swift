import Jansson

/// A request after the sign-in for more data about the account: a tenant or a data centre that later URLs and headers contain.
package struct AccountLookup: FieldObject {
  package var url: String
  package var variables: NamedValues<DottedPath>

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    url = try fields.required("url", "The URL that the process requests by GET, with the access token.")
    variables = try fields.required(
      "variables",
      "The names that the JSON response fills, each with the dotted path of its value. A value that `variables` already has stays.")
    if fields.isDescribing { return }
    try fields.check(endpoint: url, "url")
    if variables.pairs.isEmpty { throw FieldError(fields.pointer("variables"), "must not be empty") }
    for (name, _) in variables.pairs where name.isEmpty || name == "clientId" {
      throw FieldError(ObjectReader.pointer(to: name, in: fields.pointer("variables")), "cannot be filled from a response")
    }
  }

  package var names: [String] { variables.pairs.map(\.name) }

  /// Returns the values in a response. Ignores missing values and those that are not short texts.
  package func values(in response: JSON) -> NamedValues<String> {
    NamedValues(variables.pairs.compactMap { name, path in path.value(in: response)?.attributeText.map { (name, $0) } })
  }
}
