import Jansson

/// Where an API wants the access token; at most one of the three is said.
package struct CredentialPlace: FieldObject {
  package static let placeholder = CredentialPlace()

  package var scheme: String?
  package var header: String?
  package var query: String?

  package init() {}

  package init(_ fields: inout Fields) throws(FieldError) {
    scheme = try fields.optional("scheme", "The scheme in Authorization instead of the token's type, such as OAuth.")
    header = try fields.optional("header", "A header that carries the bare token instead of Authorization.")
    query = try fields.optional("query", "A query parameter that carries the token instead of a header.")
    if fields.isDescribing { return }
    for (member, value) in [("scheme", scheme), ("header", header)] {
      if let value, !HTTPRequest.isToken(value) { throw FieldError(fields.pointer(member), "has to be one token of letters") }
    }
    if let query, query.isEmpty { throw FieldError(fields.pointer("query"), "must not be empty") }
    guard [scheme, header, query].compactMap(\.self).count <= 1 else {
      throw FieldError(fields.pointer(header == nil ? "query" : "header"), "is there together with another place")
    }
  }

  package func write(to writer: inout JSONWriter) { writer.null() }
}

/// Where an API's envelope has what: whether it worked, why not, and what came of it.
package struct EnvelopePlaces: FieldObject {
  package static let placeholder = EnvelopePlaces()

  package var success: DottedPath?
  package var code: DottedPath?
  package var message: DottedPath?
  package var results: DottedPath?
  package var details: DottedPath?

  package init() {}

  package init(_ fields: inout Fields) throws(FieldError) {
    success = try fields.optional(
      "success", "The dotted path of what is false, or a string other than ok and success, in an error even if its status is 200.")
    code = try fields.optional("code", "The dotted path of the error's code.")
    message = try fields.optional("message", "The dotted path of the error's text.")
    results = try fields.optional("results", "The dotted path of what was asked for.")
    details = try fields.optional("details", "The dotted path of what more there is to say of an error.")
  }

  package func write(to writer: inout JSONWriter) { writer.null() }
}

/// How an API says that an access token has died, so that it is replaced and the call made once more.
package struct ExpiredSign: FieldObject {
  package static let placeholder = ExpiredSign()

  package var statuses = [401]
  package var codes: [String] = []

  package init() {}

  package init(_ fields: inout Fields) throws(FieldError) {
    statuses = try fields.optional("statuses", "HTTP statuses that say so; 401 by default.") ?? [401]
    codes = try fields.optional("codes", "The API's own error codes that say so, found where apiErrors has its code.") ?? []
    if fields.isDescribing { return }
    for (index, status) in statuses.enumerated() where !(400...599).contains(status) {
      throw FieldError(fields.pointer("statuses") + "/\(index)", "has to be from 400 to 599")
    }
  }

  package func write(to writer: inout JSONWriter) { writer.null() }
}

/// Headers by which an API tells of its limits.
package struct RateLimitHeaders: FieldObject {
  package static let placeholder = RateLimitHeaders()

  package var reset: String?
  package var remaining: String?

  package init() {}

  package init(_ fields: inout Fields) throws(FieldError) {
    reset = try fields.optional("reset", "The header with the Unix second at which calls are taken again.")
    remaining = try fields.optional("remaining", "The header with the number of calls that are left.")
    if fields.isDescribing { return }
    for (member, value) in [("reset", reset), ("remaining", remaining)] {
      if let value, !HTTPRequest.isToken(value) { throw FieldError(fields.pointer(member), "has to be the name of a header") }
    }
  }

  package func write(to writer: inout JSONWriter) { writer.null() }
}

/// How an API tells where the next page of a list is.
package struct Pagination: FieldObject {
  package enum Style: String, FieldWord {
    /// By a `Link` header with `rel="next"` (RFC 8288).
    case link
    /// By a value in the answer that goes into the next request, or by the next page's URL.
    case cursor
    /// By the number of items seen so far.
    case offset
    /// By the page's number, beside the number of pages in the answer.
    case page
  }

  package static let placeholder = Pagination(style: .link)

  package var style: Style
  package var cursor: DottedPath?
  package var parameter: String?
  package var items: DottedPath?
  package var current: DottedPath?
  package var total: DottedPath?

  init(style: Style) { self.style = style }

  package init(_ fields: inout Fields) throws(FieldError) {
    style = try fields.required("style", "By a Link header, by a cursor in the answer, by an offset, or by the page's number.")
    cursor = try fields.optional("cursor", "The dotted path of the next page's cursor, or of its whole URL.")
    parameter = try fields.optional("parameter", "The query parameter that takes the cursor, the offset or the page's number.")
    items = try fields.optional(
      "items", "The dotted path of the page's items, which are counted for an offset; the whole answer without this.")
    current = try fields.optional("current", "The dotted path of the number of the page that came, with the style page.")
    total = try fields.optional("total", "The dotted path of the number of pages, with the style page.")
    if fields.isDescribing { return }
    if style == .page, current == nil { throw .missing(fields.pointer("current")) }
    if style == .page, total == nil { throw .missing(fields.pointer("total")) }
    if style == .cursor, cursor == nil { throw .missing(fields.pointer("cursor")) }
    if [.offset, .page].contains(style), parameter == nil { throw .missing(fields.pointer("parameter")) }
    if let parameter, parameter.isEmpty { throw FieldError(fields.pointer("parameter"), "must not be empty") }
  }

  package func write(to writer: inout JSONWriter) { writer.null() }
}
