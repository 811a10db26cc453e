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
  /// What the service demands before it performs the call; nil if it demands nothing.
  package var challenge: Challenge?

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
    if let challenge {
      return OAuthFailure(
        challenge.kind, "\(challenge.kind.meaning): callAPI with stepUp asks the user", details: challenge.details + details,
        account: account)
    }
    return OAuthFailure(
      .serviceError,
      status < 400 ? "the service answered with a success status and an error" : "the service answered with status \(status)",
      details: details,
      isRetryable: [408, 429, 500, 502, 503, 504].contains(status), account: account)
  }
}

extension APIResponse {
  /// A service's demand for a token with other properties (RFC 6750, 3.1; RFC 9470, 3).
  package enum Challenge: Sendable, Equatable {
    case scope([String])
    /// `maxAge` is in seconds.
    case userAuthentication(acrValues: [String], maxAge: Int?)

    /// Returns nil if the response demands neither. Lists are cut to 32 words, more than any real challenge has.
    init?(_ response: HTTPResponse) {
      guard response.status == 401 || response.status == 403 else { return nil }
      for header in response.headers where header.isNamed("www-authenticate") {
        for scheme in ["bearer", "dpop"] {
          let parameters = HTTPChallenge.parameters(header.value, scheme: scheme)
          func value(_ name: String) -> String? {
            parameters.first { $0.name.lowercased() == name }.map { String(decoding: $0.value, as: UTF8.self) }
          }
          func words(_ name: String) -> [String] {
            (value(name) ?? "").split(separator: " ").prefix(32).map { ErrorText.clean(String($0)) }
          }
          switch value("error") {
          case "insufficient_scope": self = .scope(value("scope").flatMap { JSON.string($0).scopes } ?? [])
          case "insufficient_user_authentication":
            let age = value("max_age").flatMap(Int.init).flatMap { (0...315_360_000).contains($0) ? $0 : nil }
            self = .userAuthentication(acrValues: words("acr_values"), maxAge: age)
          default: continue
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

    var details: [JSON.Member] {
      switch self {
      case .scope(let scopes): [.init("scopes", .array(scopes.map { .string($0) }))]
      case .userAuthentication(let values, let age):
        [.init("acrValues", .array(values.map { .string($0) }))] + (age.map { [.init("maxAge", .integer($0))] } ?? [])
      }
    }

    /// Adds the demand to a sign-in request. Returns false if the service doesn't say which scopes it needs.
    package func add(to request: inout AuthorizationInput) -> Bool {
      switch self {
      case .scope(let scopes):
        request.scopes = scopes
        return !scopes.isEmpty
      case .userAuthentication(let values, let age):
        request.interaction = .always
        if !values.isEmpty { request.addedParameters.append(("acr_values", values.joined(separator: " "))) }
        if let age { request.addedParameters.append(("max_age", String(age))) }
        // The provider's existing session may be the one that is too old or too weak.
        if values.isEmpty, age == nil { request.addedParameters.append(("prompt", "login")) }
        return true
      }
    }
  }
}

extension APIResponse {
  /// Finds a part of a JSON text without decoding it. Numbers and escapes stay as the service wrote them.
  ///
  /// The text must be valid and without white space outside its strings, as `JSON.Scan` returns it.
  struct JSONSlice {
    private let text: [UInt8]

    init(compact text: [UInt8]) { self.text = text }

    /// Returns the bytes of the value at this place; nil if the place does not exist.
    func value(at path: DottedPath) -> [UInt8]? {
      var start = 0
      for part in path.parts {
        guard let next = text[start] == UInt8(ascii: "[") ? element(part, in: start) : member(part, in: start) else { return nil }
        start = next
      }
      return Array(text[start..<end(of: start)])
    }

    /// Returns where the member's value starts, in the object that starts at `start`.
    private func member(_ name: String, in start: Int) -> Int? {
      guard text[start] == UInt8(ascii: "{"), text[start + 1] != UInt8(ascii: "}") else { return nil }
      var position = start + 1
      while true {
        let colon = end(of: position)
        if isName(text[position..<colon], name) { return colon + 1 }
        let next = end(of: colon + 1)
        guard text[next] == UInt8(ascii: ",") else { return nil }
        position = next + 1
      }
    }

    private func element(_ index: String, in start: Int) -> Int? {
      guard let wanted = Int(index), wanted >= 0, text[start + 1] != UInt8(ascii: "]") else { return nil }
      var position = start + 1
      for _ in 0..<wanted {
        let next = end(of: position)
        guard text[next] == UInt8(ascii: ",") else { return nil }
        position = next + 1
      }
      return position
    }

    /// Compares the decoded name, because `"D"` may be written `"\u0044"`.
    private func isName(_ quoted: ArraySlice<UInt8>, _ name: String) -> Bool {
      guard quoted.contains(UInt8(ascii: "\\")) else { return quoted.dropFirst().dropLast().elementsEqual(name.utf8) }
      guard let list = try? JSON.parse([UInt8(ascii: "[")] + quoted + [UInt8(ascii: "]")]) else { return false }
      return list.array?.first?.string == name
    }

    /// Returns the position behind the value that starts at `start`.
    private func end(of start: Int) -> Int {
      var depth = 0
      var position = start
      while position < text.count {
        switch text[position] {
        case UInt8(ascii: "\""):
          position = endOfString(position)
          if depth == 0 { return position }
          continue
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          // The end of the container also ends a number or a literal.
          if depth == 0 { return position }
          depth -= 1
          if depth == 0 { return position + 1 }
        case UInt8(ascii: ","), UInt8(ascii: ":"):
          if depth == 0 { return position }
        default: break
        }
        position += 1
      }
      return position
    }

    private func endOfString(_ start: Int) -> Int {
      var position = start + 1
      while text[position] != UInt8(ascii: "\"") { position += text[position] == UInt8(ascii: "\\") ? 2 : 1 }
      return position + 1
    }
  }
}
