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
    case supplied(Supply)
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
    /// For every status. The first bytes of an error are withheld, as those of a success are by `peekLimit`.
    case relay(Relay)
  }

  package var method: String
  package var url: String
  package var headers: [HTTPHeader]
  package var body: Body
  package var sink: Sink = .memory
  /// Continues the exchange after a pause of a supplied body or of a relay.
  package var signal: ExchangeSignal?
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
  /// Whether the request waits while many connections to its host are open. Only API calls do, so that no number of them keeps a login from being
  /// renewed; streams do not, because they last for hours.
  package var mayWait = false
  /// Whether the request must be sent only once, even if the method is idempotent and a reused connection proves closed.
  package var isSentOnce = false
  /// The idle seconds up to which a reused connection may carry a request that is sent once. If that connection proves closed, the exchange fails:
  /// the server may have received the request. nil means a new connection for such a request.
  package var connectionAge: Int?
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
  /// nil if the response is not passed on as it comes.
  package var relay: Relay? { if case .relay(let relay) = sink { relay } else { nil } }

  /// Returns the URL's host, for messages. Throws before anything is sent if the request is not valid on the wire as it is.
  ///
  /// Rejects anything that libcurl would correct, cut or read differently from the caller's own check of the URL. These are control characters and
  /// blanks (RFC 3986, 2), a backslash, and a user name in the URL (RFC 9110, 4.2.4). A user name would become an `Authorization` header.
  package func checkedHost() throws(HTTPFailure) -> String {
    guard let url = try? URLParts(url), ["https", "http"].contains(url.scheme), url.userInfo == nil else { throw Self.rejected(host: "") }
    let bodyOfHead = if case .none = body { false } else { method == "HEAD" }
    let clean = headers.allSatisfy { Self.isToken($0.name) && Self.isLine($0.value) }
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

  /// Reads the raw bytes, because a token may have kilobytes, and reading the bytes of a string is slower.
  private static func isLine(_ text: consuming String) -> Bool { text.withUTF8 { $0.allSatisfy { $0 != 0 && $0 != 0x0A && $0 != 0x0D } } }

  private static func rejected(host: String) -> HTTPFailure { .network(host: host, cause: "protocol", answered: false) }

  /// Whether the text is a token of RFC 9110, 5.6.2.
  package static func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isTokenByte) }
}
