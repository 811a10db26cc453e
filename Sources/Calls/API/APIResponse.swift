import Jansson
import OAuthCore
import Plans

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
  /// Header names in lower case with their values. Repeated headers are joined by a comma (RFC 9110, 5.3), Set-Cookie by line feeds.
  package let headerFields: NamedValues<String>
  package var body: Body
  package var jsonOmitted: String?
  package var bytes: Int
  package var refreshed: Bool
  package var attempts: Int
  /// The error that the service reports in the body at any status, as it appears in an error's data.
  package var serviceError: [JSON.Member]?
  /// The URL of the next page.
  package var next: String?
  /// Why the next page that the service names is not used.
  package var nextProblem: String?
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

  /// With `serviceError`, `body` was not written to the sink. `results` is the place of the results in the API's envelope.
  package init(
    _ response: HTTPResponse, _ request: APIRequest, results: DottedPath? = nil, serviceError: [JSON.Member]? = nil,
    refreshed: Bool, attempts: Int
  ) {
    self.serviceError = serviceError
    status = response.status
    headerFields = Self.fields(response.headers)
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

  private static func body(_ bytes: [UInt8], _ wanted: APIRequest.As, _ results: DottedPath?) -> (Body, String?) {
    switch wanted {
    case .base64: return (.base64(Base64.encode(bytes)), nil)
    case .text: return (text(bytes), nil)
    case .json, .results:
      switch JSON.Scan.splice(bytes) {
      case .success(let json):
        guard let results else { return (.json(json), nil) }
        return JSON.text(at: results.parts, in: json).map { (.json($0), nil) } ?? (text(bytes), "no-results")
      case .failure(let reason): return (text(bytes), reason.rawValue)
      }
    }
  }

  private static func text(_ bytes: [UInt8]) -> Body { isCleanUTF8(bytes) ? .text(bytes) : .base64(Base64.encode(bytes)) }

  private static func fields(_ headers: [HTTPHeader]) -> NamedValues<String> {
    var fields = NamedValues<String>()
    // Indexed by name, because a service may send thousands of headers.
    var places = [String: Int](minimumCapacity: headers.count)
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
    var details: [JSON.Member] = [.init("httpStatus", .integer(status))] + (serviceError ?? [])
    details.append(.init("headers", .object(headerFields.pairs.map { JSON.Member($0.name, .string($0.value)) })))
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
      return OAuthFailure(challenge.kind, challenge.kind.meaning, details: challenge.details + details, account: account)
        .with(\.advice, .stepUp)
    }
    return OAuthFailure(
      .serviceError,
      status < 400 ? "the service answered with a success status and an error" : "the service answered with status \(status)",
      details: details, isRetryable: isRetryable, account: account
    ).with(\.advice, advice)
  }
}

extension APIResponse {
  /// A service's demand for a token with other properties (RFC 6750, 3.1; RFC 9470, 3; Microsoft Entra's claims).
  package enum Challenge: Sendable, Equatable {
    /// `claims` is the text of a JSON object.
    case scope([String], claims: String?)
    /// `maxAge` is in seconds.
    case userAuthentication(acrValues: [String], maxAge: Int?, claims: String?)

    /// Returns nil if the response demands neither. Lists are cut to 32 words, more than any real challenge has.
    package init?(_ response: HTTPResponse, hiding hidden: Redaction) {
      for header in response.headers where header.isNamed("www-authenticate") {
        for scheme in ["bearer", "dpop"] {
          let parameters = HTTPChallenge.parameters(header.value, scheme: scheme)
          func value(_ name: String) -> String? {
            parameters.first { $0.name.lowercased() == name }.map { String(decoding: $0.value, as: UTF8.self) }
          }
          func words(_ name: String) -> [String] {
            (value(name) ?? "").split(separator: " ").prefix(32).map { Redaction.none.clean(String($0)) }
          }
          let claims = DemandedClaims.text(value("claims").map(JSON.string), hiding: hidden)
          if value("error") == "insufficient_scope" {
            self = .scope(value("scope").flatMap { JSON.string($0).scopes } ?? [], claims: claims)
          } else if claims != nil || value("error") == "insufficient_user_authentication" {
            let age = value("max_age").flatMap(Int.init).flatMap { (0...315_360_000).contains($0) ? $0 : nil }
            self = .userAuthentication(acrValues: words("acr_values"), maxAge: age, claims: claims)
          } else {
            continue
          }
          return
        }
      }
      return nil
    }

    var kind: OAuthFailure.Kind {
      switch self {
      case .scope: .insufficientScope
      case .userAuthentication: .insufficientUserAuthentication
      }
    }

    package var details: [JSON.Member] {
      switch self {
      case .scope(let scopes, let claims):
        [.init("scopes", .array(scopes.map { .string($0) }))] + (claims.map { [.init("claims", .string($0))] } ?? [])
      case .userAuthentication(let values, let age, let claims):
        [.init("acrValues", .array(values.map { .string($0) }))] + (age.map { [.init("maxAge", .integer($0))] } ?? [])
          + (claims.map { [.init("claims", .string($0))] } ?? [])
      }
    }

    /// Adds the demand to a sign-in request. Returns false if the service doesn't say which scopes it needs.
    package func add(to request: inout AuthorizationInput) -> Bool {
      switch self {
      case .scope(let scopes, let claims):
        (request.scopes, request.demandedClaims) = (scopes, claims)
        // The claims need a page even if the scopes are granted.
        if claims != nil { request.interaction = .always }
        return !scopes.isEmpty
      case .userAuthentication(let values, let age, let claims):
        request.interaction = .always
        request.demandedClaims = claims
        if !values.isEmpty { request.addedParameters.append(("acr_values", values.joined(separator: " "))) }
        if let age { request.addedParameters.append(("max_age", String(age))) }
        // The provider's existing session may be the one that is too old or too weak.
        if values.isEmpty, age == nil, claims == nil { request.addedParameters.append(("prompt", "login")) }
        return true
      }
    }
  }
}

extension APIOptions {
  /// Whether the body of a response says more than the results: an error, or the next page.
  var readsBody: Bool { apiErrors != nil || pagination.map { $0.style != .link } == true }
}

extension APIOptions.RateLimitHeaders {
  /// Whether the service rejected the call because the rate limit is used up. GitHub sends 403 for that.
  func isReached(_ response: HTTPResponse) -> Bool {
    // GitHub reports its secondary limits with 403 and Retry-After.
    response.status == 429
      || response.status == 403 && (remaining.flatMap(response.header) == "0" || RetryAfter.seconds(response, at: 0) != nil)
  }

  /// Returns the seconds after which the service accepts calls again; nil if it does not say.
  func wait(after response: HTTPResponse, at now: Int) -> Int? {
    if let seconds = RetryAfter.seconds(response, at: now) { return seconds }
    // Many services send the reset's time with every response.
    guard isReached(response), let reset = reset.flatMap(response.header).flatMap({ Int($0) }), UnixSeconds.instants.contains(reset),
      reset > now - 86_400
    else { return nil }
    return max(0, reset - now)
  }
}
