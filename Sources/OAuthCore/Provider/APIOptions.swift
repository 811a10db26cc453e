import Jansson

/// Where the service's API is and how it deviates: the token's place, errors, pagination, rate limits.
package struct APIOptions: Sendable {
  /// How a url that begins with a single slash is resolved.
  package enum PathJoin: String, StringEnum {
    package static let schemaName: String? = "PathJoin"

    /// A path from the host's root (RFC 3986, 5.2.2).
    case atRoot
    /// A path under the base, as in the service's own libraries. A path that already starts with the base's path is unchanged.
    case underBase

    package var documentation: String {
      switch self {
      case .atRoot: "The path starts at the root of the host (RFC 3986, 5.2.2)."
      case .underBase: "The path lies under `apiBase`."
      }
    }
  }

  package enum ParameterFormat: String, StringEnum {
    package static let schemaName: String? = "ParameterFormat"

    case form, json
  }

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

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    apiBase = try fields.optional(
      "apiBase",
      "The base of relative URLs in `callAPI` (RFC 3986, 5.2). Without a slash at its end, a relative URL replaces its last "
        + "part. It may contain {names}.")
    apiPathJoin = try fields.optional("apiPathJoin", default: .atRoot, "The meaning of a `url` of `callAPI` that starts with a slash.")
    apiHosts = try fields.optional(
      "apiHosts", "The hosts that receive the token. Without this list, they are the hosts of `apiBase` and of the endpoints.")
    apiHeaders = try fields.optional(
      "apiHeaders", default: .init(), "Headers of every API call. They may contain {names}. The caller's headers override them.")
    endpointHosts = try fields.optional(
      "endpointHosts", default: [],
      "The hosts that an endpoint or `apiBase` may have if a {name} in it comes from the redirect or from the token response.")
    apiCredential =
      try fields.optional(
        "apiCredential", "The place of the access token in API calls. Without it, the token is in the `Authorization` header with its type."
      )
      ?? .init()
    apiErrors = try fields.optional("apiErrors", "The places of success, error and results in the API's JSON.")
    expired =
      try fields.optional("expired", "The signs of an expired access token.") ?? .init()
    parameterFormat = try fields.optional(
      "parameterFormat", default: .form, "The format of `parameters` of `callAPI` with POST, PUT and PATCH.")
    rateLimit = try fields.optional("rateLimit", "The headers that report rate limits. `Retry-After` is always read.") ?? .init()
    pagination = try fields.optional("pagination", "The way in which the API points to the next page.")
    if !fields.isDescribing { try check(fields) }
  }

  /// Whether a response with status 200 can contain an error.
  package var hasErrorsInSuccesses: Bool { apiErrors?.success != nil || (apiErrors?.code != nil && !expired.codes.isEmpty) }

  private func check(_ fields: ObjectReader) throws(FieldError) {
    try fields.check(endpoint: apiBase, "apiBase")
    try fields.check(hosts: apiHosts ?? [], "apiHosts")
    try fields.check(hosts: endpointHosts, "endpointHosts")
    try fields.check(headers: apiHeaders, "apiHeaders")
  }
}
