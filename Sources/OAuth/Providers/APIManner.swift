import Jansson

/// Where the service's API is and how it deviates: the credential's place, its errors, its pages, its limits.
package struct APIManner: Sendable {
  /// What a url that begins with a single slash is.
  package enum PathJoin: String, FieldWord {
    /// A path from the host's root (RFC 3986, 5.2.2).
    case atRoot
    /// A path under the base, as the service's own libraries have it; one that has the base's path already stays as it is.
    case underBase
  }

  package enum ParameterFormat: String, FieldWord { case form, json }

  package var apiBase: String?
  package var apiPathJoin = PathJoin.atRoot
  package var apiHosts: [String]?
  package var apiHeaders = NamedValues<String>()
  package var endpointHosts: [String] = []
  package var apiCredential = CredentialPlace()
  package var apiErrors: EnvelopePlaces?
  package var expired = ExpiredSign()
  package var parameterFormat = ParameterFormat.form
  package var rateLimit = RateLimitHeaders()
  package var pagination: Pagination?

  package init() {}

  init(_ fields: inout Fields) throws(FieldError) {
    apiBase = try fields.optional(
      "apiBase",
      "What relative URLs of callAPI are relative to (RFC 3986, 5.2): with a slash at its end they go below it, without one they replace its last part; "
        + "may contain {names}.")
    apiPathJoin =
      try fields.optional(
        "apiPathJoin",
        "What a url of callAPI is that begins with a slash: atRoot, the default, or underBase, as if it had none.")
      ?? .atRoot
    apiHosts = try fields.optional(
      "apiHosts", "Hosts that the token may go to; by default those of apiBase and of the endpoints.")
    apiHeaders =
      try fields.optional("apiHeaders", "Headers that every call of the API needs, with {names} where need be; the caller's own win.")
      ?? .init()
    endpointHosts =
      try fields.optional(
        "endpointHosts",
        "Hosts that an endpoint or apiBase may lead to when a {name} in it comes from the redirect or from the token answer.")
      ?? []
    apiCredential =
      try fields.optional("apiCredential", "How the API wants the access token; in Authorization with its type by default.")
      ?? .init()
    apiErrors = try fields.optional("apiErrors", "Where the API's own success, error and results stand in its JSON.")
    expired =
      try fields.optional("expired", "How the API says that an access token has died; by status 401 by default.") ?? .init()
    parameterFormat =
      try fields.optional(
        "parameterFormat", "How callAPI's parameters go with POST, PUT and PATCH: as a form by default, or as JSON.") ?? .form
    rateLimit = try fields.optional("rateLimit", "The headers that tell of limits, beside Retry-After.") ?? .init()
    pagination = try fields.optional("pagination", "How the API tells where the next page is.")
    if !fields.isDescribing { try check(fields) }
  }

  /// Whether a status of 200 can yet be a failure, by what stands in the answer.
  var hasErrorsInSuccesses: Bool { apiErrors?.success != nil || (apiErrors?.code != nil && !expired.codes.isEmpty) }

  private func check(_ fields: Fields) throws(FieldError) {
    try fields.check(endpoint: apiBase, "apiBase")
    try fields.check(hosts: apiHosts ?? [], "apiHosts")
    try fields.check(hosts: endpointHosts, "endpointHosts")
    try fields.check(headers: apiHeaders, "apiHeaders")
  }
}
