import Jansson

/// The request of one exchange. The caller follows redirects and retries after failures.
/// Only libcurl's resend after a closed connection happens inside (`isSentOnce`).
package struct HTTPRequest: Sendable {
  /// The source of the request's body.
  package enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// Sent from disk in pieces, so its size needs no memory.
    case file(path: String)
  }

  /// Where a successful response's body is written. Any other response's body stays in memory, because it explains the error.
  package enum Sink: Sendable {
    case memory
    /// Written to a temporary file and renamed when complete. A broken transfer therefore never leaves a partial file under the requested name.
    /// An existing file is an error unless `overwrites` is true.
    /// With `resource`, the part that an interrupted download left stays beside the file, and the next download of that resource asks for the rest.
    case file(path: String, overwrites: Bool = false, resource: String? = nil)
    /// Called with each piece. `false` pauses the transfer (back-pressure); the same piece is offered again a little later.
    case stream(@Sendable (_ offset: Int, _ piece: [UInt8]) -> Bool)
  }

  package var method: String
  package var url: String
  package var headers: [HTTPHeader]
  package var body: Body
  package var sink: Sink = .memory
  /// Proves who the client is, in TLS. Such a request uses only connections that were opened with this certificate.
  package var clientCertificate: ClientCertificate?
  /// The descriptor of the folder that must hold the files of body and sink, without links; their paths start in it. nil allows every folder.
  package var filesRoot: Int32?
  /// The base string of an OAuth 1.0a sign-in step, secrets masked, for a dry run.
  package var baseString: String?
  /// Seconds for the whole exchange; 0 means no limit.
  package var timeout: Int = 60
  /// The seconds of `timeout` that are reserved for the response.
  package var answerTime = 0
  /// The maximum size of a body in memory, in bytes. A larger one is `HTTPFailure.tooLarge`.
  package var maxBytes: Int = 8 << 20
  /// The maximum bytes for a file or a stream. nil means no limit, because these need no memory.
  package var sinkLimit: Int?
  /// How many bytes of a successful JSON object stay in memory for the caller to examine. A larger body is written to the sink.
  package var peekLimit = 0
  /// Whether the server is asked to compress the response. Some do that badly, and some unasked.
  package var allowsCompression = true
  /// Whether the request must be sent only once, even if the method is idempotent and a reused connection proves closed.
  package var isSentOnce = false
  /// The idle seconds up to which a reused connection may carry a request that is not idempotent. `mayBeSent` must then refuse a second sending: the
  /// server may have received the first. nil means a new connection.
  package var connectionAge: Int?
  /// Called before each sending, including libcurl's own repetitions (since 7.80). `false` ends the exchange like a broken connection.
  /// Called on the client's thread, so it must not block.
  package var mayBeSent: (@Sendable () -> Bool)?
  /// Called before each piece of the body, with its bytes so far or announced. `false` pauses the transfer until a later call returns true.
  package var mayReceive: (@Sendable (_ bytes: Int) -> Bool)?
  /// Called with the head of the response before its body. Called on the client's thread, so it must not block.
  package var headWasReceived: (@Sendable (_ status: Int, _ headers: [HTTPHeader]) -> Void)?
  /// The innermost network that the connection may reach. Narrower than this machine if only a server named the URL, not the configuration or the
  /// request.
  package var scopeLimit = NetworkScope.thisMachine
  /// Whether the body of a redirect with a Location is discarded and counts towards no limit.
  package var dropsRedirectBodies = false
  /// Called at most 10 times a second with the bytes so far. `total` is nil unless the response states its length.
  package var progress: (@Sendable (_ sent: Int, _ received: Int, _ total: Int?) -> Void)?

  package init(method: String, url: String, headers: [HTTPHeader] = [], body: Body = .none) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
  }
}

extension HTTPRequest {
  /// Returns the URL's host, for messages. Throws before anything is sent if the request is not valid on the wire as it is.
  ///
  /// Rejects anything that libcurl would correct, cut or read differently from the caller's own check of the URL. These are control characters and
  /// blanks (RFC 3986, 2), a backslash, and a user name in the URL (RFC 9110, 4.2.4). A user name would become an `Authorization` header.
  package func checkedHost() throws(HTTPFailure) -> String {
    guard let url = try? URLParts(url), ["https", "http"].contains(url.scheme), url.userInfo == nil else { throw Self.rejected(host: "") }
    let bodyOfHead = if case .none = body { false } else { method == "HEAD" }
    // An array, because a token may have kilobytes, and reading the bytes of a string is slower.
    let clean = headers.allSatisfy { Self.isToken($0.name) && Array($0.value.utf8).allSatisfy { $0 != 0 && $0 != 0x0A && $0 != 0x0D } }
    guard Self.isToken(method), clean, !bodyOfHead else { throw Self.rejected(host: url.host) }
    return url.host
  }

  /// Whether the caller set a header of that name (in lower case).
  package func hasHeader(_ name: String) -> Bool { headers.contains { $0.isNamed(name) } }

  /// Adds headers from a provider's description. Existing ones are replaced.
  package mutating func add(_ more: NamedValues<String>) {
    for (name, value) in more.pairs {
      headers.removeAll { $0.name.lowercased() == name.lowercased() }
      headers.append(HTTPHeader(name, value))
    }
  }

  private static func rejected(host: String) -> HTTPFailure { .network(host: host, cause: "protocol", answered: false) }

  /// Whether the text is a token of RFC 9110, 5.6.2.
  package static func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isTokenByte) }
}

/// One header field. Order and repetitions are preserved; names are case-insensitive (RFC 9110, 5.1).
package struct HTTPHeader: Sendable, Equatable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  /// Whether the field has this name. `other` must be in lower case.
  package func isNamed(_ other: String) -> Bool {
    let (name, other) = (name.utf8, other.utf8)
    return name.count == other.count && name.elementsEqual(other) { $0 == $1 || ((0x41...0x5A).contains($0) && $0 | 0x20 == $1) }
  }
}

/// A decoded name and value of a redirect or of OAuth 1.0a. The value may be a code or a token, so it is never printed.
package struct RedirectParameter: Equatable, Sendable, Confidential {
  package var name: String
  package var value: String

  package init(name: String, value: String) { self.init(name, value) }
  package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  package var description: String { "\(name)=…" }
  /// Shows only the name, because `dump` would show the value, which may be a code or state.
  package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

/// Why there is no response.
package enum HTTPFailure: Error, Sendable, Equatable {
  /// The host could not be reached or the connection broke.
  /// `cause` is `resolve`, `connect`, `tls`, `proxy`, `broken`, `protocol` or `descriptors`.
  /// `answered` says whether any byte of a response was received. Only a request without a response may be sent again.
  /// `proxy` is the one where the exchange failed, if not at the host. `problem` follows its name in a sentence. Neither contains a secret.
  case network(host: String, cause: String, answered: Bool, proxy: String? = nil, problem: String? = nil, advice: String? = nil)
  /// The request's time limit passed.
  case timedOut(host: String)
  case tooLarge(maxBytes: Int)
  /// The host has no address within the request's `scopeLimit`, or a public one, which http does not reach. Nothing was sent.
  case outOfScope(host: String, isPublic: Bool = false)
  /// The client's certificate or its key cannot be used, or the host rejected it. Contains nothing of either.
  case certificate(host: String, problem: String, isRejected: Bool)
  /// A body could not be read or a response not written. `reason` is `errno`'s text.
  case file(path: String, reason: String)
  /// A file may not be replaced.
  case exists(path: String)
  case cancelled
  /// libcurl is missing or could not start.
  case unavailable(reason: String)

  /// The cause of a `network` failure when the process has no free file descriptor.
  package static let noDescriptors = "descriptors"
  /// The cause of the failure if a server rejects the client's certificate, or wants one.
  package static let rejectedCertificate = "clientCertificate"
}

/// The response of one exchange, at any status. A status of 400 is a response, not a failure.
package struct HTTPResponse: Sendable {
  /// The statuses that redirect to the same resource elsewhere (RFC 9110, 15.4). 300 and 304 do not.
  package static let redirects: Set = [301, 302, 303, 307, 308]

  package var status: Int
  package var headers: [HTTPHeader]
  /// Empty if the body was written to a file or a stream.
  package var body: [UInt8]
  /// The size of the received body, in memory or in a sink.
  package var bytes: Int
  /// The scope of the server's address; nil if a proxy was used.
  package var scope: NetworkScope?
  /// Whether the body was held back from the request's sink. The caller writes it there unless it is an error.
  package var isWithheld = false

  package init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = [], bytes: Int? = nil) {
    (self.status, self.headers, self.body) = (status, headers, body)
    self.bytes = bytes ?? body.count
  }

  /// The body without a byte order mark and white space around it, which some servers send with JSON and forms (RFC 8259, 8.1).
  package var trimmedBody: [UInt8] {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    var rest = body[...]
    while let first = rest.first, isBlank(first) || rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(isBlank(first) ? 1 : 3) }
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return Array(rest)
  }

  /// Returns the target of a redirect that is not followed, as a member of the error's data.
  package func redirectTarget(hiding hidden: Redaction) -> JSON.Member? {
    guard Self.redirects.contains(status), let target = header("Location") else { return nil }
    return JSON.Member("location", .string(hidden.clean(target)))
  }

  /// Returns the response without the secrets that its server repeats.
  package func hiding(_ hidden: Redaction) -> HTTPResponse {
    var shown = self
    shown.body = hidden.hide(in: body)
    shown.headers = headers.map { HTTPHeader($0.name, hidden.hide(in: $0.value)) }
    return shown
  }

  /// Returns the first header of that name, in any case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.utf8.elementsEqual(name.utf8) || $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// How long a response may be used again, in seconds.
package enum CacheLifetime {
  /// Lifetime in seconds if the response names none. Issuers announce rotations days ahead, and one fetch an hour is cheap.
  package static let usual = 3600
  /// Minimum lifetime in seconds, whatever the response says: with `no-store` every sign-in would fetch the keys twice.
  package static let shortest = 300
  /// Maximum lifetime in seconds, whatever the response says. A stolen and withdrawn key is then not trusted for weeks.
  package static let longest = 86_400

  /// Returns how long the response may be cached (RFC 9111, 5.2.2), less its age in other caches (4.2.3), within our limits.
  package static func of(_ response: HTTPResponse) -> Int {
    var seconds: Int?
    for directive in (response.header("Cache-Control") ?? "").lowercased().split(separator: ",") {
      let parts = directive.split(separator: "=", maxSplits: 1).map { part in part.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
      switch parts.first {
      case "no-store", "no-cache": return shortest
      case "max-age" where parts.count == 2: seconds = Int(parts[1])
      default: break
      }
    }
    guard let seconds else { return usual }
    let age = response.header("Age").flatMap(Int.init) ?? 0
    return min(max(seconds - max(0, min(age, seconds)), shortest), longest)
  }
}
