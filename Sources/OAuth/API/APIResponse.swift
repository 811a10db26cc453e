import Jansson
import OAuthCore

/// The service's response, with its body in the requested form.
package struct APIResponse: Sendable {
  package enum Body: Sendable {
    /// UTF-8 without NUL.
    case text([UInt8])
    case base64(String)
    /// The service's own JSON without white space. `jsonOmitted` says why there is none: it could harm a client's parser.
    case json([UInt8])
    case saved(path: String)
    case streamed
  }

  package var status: Int
  package var headers: [HTTPHeader]
  package var body: Body
  package var jsonOmitted: String?
  package var bytes: Int
  package var refreshed: Bool
  package var attempts: Int
  /// The error that the service reports in the body, at any status.
  package var serviceError: APIEnvelope.ServiceError?
  /// The URL of the next page.
  package var next: String?
  /// Whether the service rejected the call because of a rate limit.
  var isLimited = false
  /// The seconds after which the service accepts calls again; nil if it does not say.
  var retryAfter: Int?
  /// What the service demands before it performs the call; nil if it demands nothing.
  package var challenge: Challenge?
  /// What the user can do if the service rejects the token.
  var advice: OAuthFailure.Advice?

  /// Whether the call failed: by its status, or by an error inside a success.
  package var isFailure: Bool { status >= 400 || serviceError != nil }

  /// With `serviceError`, `body` contains the body, because it was not written to the sink. `results` is the place of the results in the API's
  /// envelope.
  package init(
    _ response: HTTPResponse, _ request: APIRequest, results: DottedPath? = nil, serviceError: APIEnvelope.ServiceError? = nil,
    refreshed: Bool, attempts: Int
  ) {
    self.serviceError = serviceError
    status = response.status
    headers = response.headers
    bytes = response.bytes
    self.refreshed = refreshed
    self.attempts = attempts
    let isSuccess = (200..<300).contains(response.status) && !(response.isWithheld && serviceError != nil)
    if isSuccess, let path = request.saveTo {
      body = .saved(path: path)
    } else if isSuccess, request.streams {
      body = .streamed
    } else {
      // An error is returned with its whole envelope.
      let isUnwrapped = request.as == .results && isSuccess && serviceError == nil
      (body, jsonOmitted) = Self.body(response.body, request.as, isUnwrapped ? results : nil)
    }
  }

  /// An empty success, for the schema.
  package init(sample: Void) {
    status = 200
    headers = []
    body = .text([])
    bytes = 0
    refreshed = false
    attempts = 1
  }

  private static func body(_ bytes: [UInt8], _ wanted: APIRequest.As, _ results: DottedPath?) -> (Body, String?) {
    switch wanted {
    case .base64: return (.base64(Base64.encode(bytes)), nil)
    case .text: return (text(bytes), nil)
    case .json, .results:
      switch JSON.Scan.splice(bytes) {
      case .spliced(let json):
        guard let results else { return (.json(json), nil) }
        return JSONSlice(compact: json).value(at: results).map { (.json($0), nil) } ?? (text(bytes), "no-results")
      case .omitted(let reason): return (text(bytes), reason.rawValue)
      }
    }
  }

  private static func text(_ bytes: [UInt8]) -> Body {
    isCleanUTF8(bytes) ? .text(bytes) : .base64(Base64.encode(bytes))
  }

  /// Header names in lower case with their values. Repeated headers are joined by a comma (RFC 9110, 5.3), Set-Cookie by line feeds.
  package var headerFields: NamedValues<String> {
    var fields = NamedValues<String>()
    // Indexed by name, because a service may send thousands of headers.
    var places: [String: Int] = [:]
    for header in headers {
      let name = header.name.lowercased()
      let value = header.value.unicodeScalars.contains("\0") ? header.value.filter { $0 != "\0" } : header.value
      if let index = places[name] {
        fields.pairs[index].value += (name == "set-cookie" ? "\n" : ", ") + value
      } else {
        places[name] = fields.pairs.count
        fields.pairs.append((name, value))
      }
    }
    return fields
  }

  private var isRetryable: Bool { isLimited || [408, 429, 500, 502, 503, 504].contains(status) }

  /// Returns a failed response as an error whose data contains the whole response.
  package func failure(_ account: String) -> OAuthFailure {
    var details: [JSON.Member] = [
      .init("httpStatus", .integer(status))
    ]
    details += serviceError?.members ?? []
    details += [
      .init("headers", .object(headerFields.pairs.map { JSON.Member($0.name, .string($0.value)) }))
    ]
    switch body {
    case .text(let bytes): details += [.init("body", .string(String(decoding: bytes, as: UTF8.self))), .init("bodyEncoding", "utf8")]
    case .base64(let text): details += [.init("body", .string(text)), .init("bodyEncoding", "base64")]
    case .json(let json): details.append(.init("json", .verbatim(json)))
    case .saved, .streamed: break
    }
    if let jsonOmitted { details.append(.init("jsonOmitted", .string(jsonOmitted))) }
    details.append(.init("attempts", .integer(attempts)))
    if isRetryable, let retryAfter { details.append(.init("retryAfter", .integer(retryAfter))) }
    if let challenge {
      var failure = OAuthFailure(challenge.kind, challenge.kind.meaning, details: challenge.details + details, account: account)
      failure.advice = .stepUp
      return failure
    }
    var failure = OAuthFailure(
      .serviceError,
      status < 400 ? "the service answered with a success status and an error" : "the service answered with status \(status)",
      details: details,
      isRetryable: isRetryable, account: account)
    failure.advice = advice
    return failure
  }
}
