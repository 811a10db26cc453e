import Jansson

/// Where the service's API is and how it deviates: the token's place, errors, pagination, rate limits.
package struct APIOptions: Sendable {
  /// How a url that begins with a single slash is resolved.
  package enum PathJoin: String, DescribedEnum {
    case atRoot, underBase
  }

  package enum ParameterFormat: String, StringEnum { case form, json }

  package var apiBase: String?
  package var apiPathJoin = PathJoin.atRoot
  package var apiHosts: [String]?
  package var apiHeaders = NamedValues<String>()
  package var endpointHosts: [String] = []
  package var gitHosts: [String] = []
  package var gitUserName = "oauth2"
  package var registryHosts: [String] = []
  package var registryUserName = "oauth2"
  package var apiCredential = CredentialPlace()
  package var apiErrors: EnvelopePlaces?
  package var expired = ExpiredSign()
  package var parameterFormat = ParameterFormat.form
  package var rateLimit = RateLimitHeaders()
  package var pagination: Pagination?

  mutating func read(_ fields: inout ObjectReader) throws(FieldError) {
    apiBase = try fields.endpoint(
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
    gitHosts = try fields.optional("gitHosts", default: [], "The hosts whose Git repositories accept the access token as a password.")
    gitUserName = try fields.optional("gitUserName", default: "oauth2", "The user name to send with the token.")
    registryHosts = try fields.optional(
      "registryHosts", default: [], "The hosts of container registries that accept the access token as a password.")
    registryUserName = try fields.optional("registryUserName", default: "oauth2", "The user name to send with the token.")
    apiCredential =
      try fields.optional(
        "apiCredential", "The place of the access token in API calls. Without it, the token is in the `Authorization` header with its type."
      )
      ?? .init()
    apiErrors = try fields.optional("apiErrors", "The places of success, error and results in the API's JSON.")
    expired = try fields.optional("expired", "The signs of an expired access token.") ?? .init()
    parameterFormat = try fields.optional(
      "parameterFormat", default: .form, "The format of `parameters` of `callAPI` with POST, PUT and PATCH.")
    rateLimit = try fields.optional("rateLimit", "The headers that report rate limits. `Retry-After` is always read.") ?? .init()
    pagination = try fields.optional("pagination", "The way in which the API points to the next page.")
    try fields.check(hosts: apiHosts ?? [], "apiHosts")
    try fields.check(hosts: endpointHosts, "endpointHosts")
    try fields.check(hosts: gitHosts, "gitHosts")
    try fields.check(hosts: registryHosts, "registryHosts")
    // Git reads the name from a line.
    for (member, name) in [("gitUserName", gitUserName), ("registryUserName", registryUserName)]
    where name.isEmpty || name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      throw FieldError(fields.pointer(member), "must be a name without control characters")
    }
    try fields.check(headers: apiHeaders, "apiHeaders")
  }

  /// Whether a response with status 200 can contain an error.
  package var hasErrorsInSuccesses: Bool { apiErrors?.success != nil || (apiErrors?.code != nil && !expired.codes.isEmpty) }
}

extension APIOptions {
  /// Where an API expects the access token. A description sets at most one of the three.
  package struct CredentialPlace: FieldObject {
    package var scheme: String?
    package var header: String?
    package var query: String?

    package init() {}

    package init(_ fields: inout ObjectReader) throws(FieldError) {
      scheme = try fields.optional("scheme", "The scheme in the `Authorization` header, such as `OAuth`. It replaces the token's type.")
      header = try fields.optional("header", "The header that carries the bare token. It replaces `Authorization`.")
      query = try fields.optional("query", "The query parameter that carries the token. It replaces the header.")
      for (member, value) in [("scheme", scheme), ("header", header)] {
        if let value, !HTTPRequest.isToken(value) { throw FieldError(fields.pointer(member), "must be one word without separators") }
      }
      if let query, query.isEmpty { throw FieldError(fields.pointer("query"), "must not be empty") }
      guard [scheme, header, query].compactMap(\.self).count <= 1 else {
        throw FieldError(fields.pointer(header == nil ? "query" : "header"), "must not be combined with another place")
      }
    }
  }

  /// Where the API's JSON envelope has success, error and results.
  package struct EnvelopePlaces: FieldObject {
    package var success: DottedPath?
    package var code: DottedPath?
    package var message: DottedPath?
    package var results: DottedPath?
    package var details: DottedPath?

    package init() {}

    package init(_ fields: inout ObjectReader) throws(FieldError) {
      success = try fields.optional(
        "success",
        "The dotted path of a member that shows an error even if the status is 200. The value is then `false`, or a string "
          + "other than `ok` and `success`.")
      code = try fields.optional("code", "The dotted path of the error's code.")
      message = try fields.optional("message", "The dotted path of the error's text.")
      results = try fields.optional("results", "The dotted path of the requested data.")
      details = try fields.optional("details", "The dotted path of further details of the error.")
    }
  }

  /// How an API reports an invalid access token. The process then replaces the token and repeats the call once.
  package struct ExpiredSign: FieldObject {
    package var statuses = [401]
    package var codes: [String] = []
    package var isCertain = false

    package init() {}

    package init(_ fields: inout ObjectReader) throws(FieldError) {
      statuses = try fields.optional("statuses", default: [401], "The HTTP statuses that report an expired token.")
      codes = try fields.optional(
        "codes", default: [], "The API's own error codes that report an expired token. `apiErrors.code` is their place.")
      isCertain = try fields.optional(
        "certain", default: false,
        "Whether these statuses always mean that the token has ended. Otherwise only `error=\"invalid_token\"` and the codes do.")
      for (index, status) in statuses.enumerated() where !(400...599).contains(status) {
        throw FieldError(fields.pointer("statuses") + "/\(index)", "must be from 400 to 599")
      }
    }
  }

  /// Headers in which an API reports its rate limits.
  package struct RateLimitHeaders: FieldObject {
    package var reset: String?
    package var remaining: String?

    package init() {}

    package init(_ fields: inout ObjectReader) throws(FieldError) {
      reset = try fields.optional("reset", "The header with the Unix second at which the API accepts calls again.")
      remaining = try fields.optional("remaining", "The header with the number of remaining calls.")
      for (member, value) in [("reset", reset), ("remaining", remaining)] {
        if let value, !HTTPRequest.isToken(value) { throw FieldError(fields.pointer(member), "must be the name of a header") }
      }
    }
  }

  /// How an API points to the next page of a list.
  package struct Pagination: FieldObject {
    package enum Style: String, DescribedEnum {
      package static let schemaName: String? = "PaginationStyle"

      case link, cursor, offset, page
    }

    package var style: Style
    package var cursor: DottedPath?
    package var parameter: String?
    package var items: DottedPath?
    package var current: DottedPath?
    package var total: DottedPath?

    package init(_ fields: inout ObjectReader) throws(FieldError) {
      style = try fields.required("style", "The way to the next page.")
      cursor = try fields.optional("cursor", "The dotted path of the next page's cursor, or of its whole URL. The style `cursor` needs it.")
      parameter = try fields.optional(
        "parameter", "The query parameter for the cursor, the offset or the page number. The styles `offset` and `page` need it.")
      items = try fields.optional(
        "items", "The dotted path of the page's items, whose number moves the offset. Without it, the whole response is the list of items.")
      current = try fields.optional("current", "The dotted path of the current page's number. The style `page` needs it.")
      total = try fields.optional("total", "The dotted path of the number of pages. The style `page` needs it.")
      if fields.isDescribing { return }
      if style == .page, current == nil { throw .missing(fields.pointer("current")) }
      if style == .page, total == nil { throw .missing(fields.pointer("total")) }
      if style == .cursor, cursor == nil { throw .missing(fields.pointer("cursor")) }
      if [.offset, .page].contains(style), parameter == nil { throw .missing(fields.pointer("parameter")) }
      if let parameter, parameter.isEmpty { throw FieldError(fields.pointer("parameter"), "must not be empty") }
    }
  }
}

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
