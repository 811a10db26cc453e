/// One header field; order and repetition are kept, names are compared without regard to case (RFC 9110, 5.1).
package struct HTTPHeader: Sendable, Equatable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Whether it has this name, which is given in lower case.
  func isNamed(_ other: String) -> Bool {
    let (name, other) = (name.utf8, other.utf8)
    return name.count == other.count && name.elementsEqual(other) { $0 == $1 || ((0x41...0x5A).contains($0) && $0 | 0x20 == $1) }
  }
}

/// What is sent in one exchange; redirects and retries are policy around it, so each hop is a request of its own.
package struct HTTPRequest: Sendable {
  /// Where the request's body comes from.
  package enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// Sent from disk in pieces, so that its size never counts as memory.
    case file(path: String)
  }

  /// Where a successful answer's body goes. Any other answer's body is always kept in memory, since it explains what went wrong.
  package enum Sink: Sendable {
    case memory
    /// Written beside `path` first and renamed when whole, so that a broken transfer never leaves half a file under the asked name.
    /// A file that is there already is a failure, unless `overwrites`.
    case file(path: String, overwrites: Bool = false)
    /// Handed on piece by piece; `false` asks for the same piece again a little later, which pauses the transfer (back-pressure).
    case stream(@Sendable (_ offset: Int, _ piece: [UInt8]) -> Bool)
  }

  package var method: String
  package var url: String
  package var headers: [HTTPHeader]
  package var body: Body
  package var sink: Sink = .memory
  /// What an OAuth 1.0a sign-in step signs, secrets masked, for a dry run.
  package var baseString: String?
  /// Seconds for the whole exchange; 0 is no limit.
  package var timeout: Int = 60
  /// The most bytes of body that are taken into memory; one more is `HTTPFailure.tooLarge`.
  package var maxBytes: Int = 8 << 20
  /// The most bytes that a file or a stream takes; nil is no limit, since they cost no memory.
  package var sinkLimit: Int?
  /// How many bytes of a success that is a JSON object stay in memory, whatever the sink is, so that it can be judged first; a larger one goes to the sink.
  package var heldBack = 0
  /// Whether it may go out once only, even where the method is idempotent and a kept connection dies under it.
  package var isSentOnce = false
  /// Asked each time before the request goes out, libcurl's own repetitions included (since 7.80); `false` ends the exchange as a connection that broke
  /// unanswered. Called on the client's thread, so it must not block.
  package var mayBeSent: (@Sendable () -> Bool)?
  /// How far inside the connection may lead: less than this machine where a server named the place, and the configuration and the request did not.
  package var scopeLimit = NetworkScope.thisMachine
  /// Whether the body of a redirect that names a place is of no use to whoever asks, so that none of it counts.
  package var dropsRedirectBodies = false
  /// Told at most 10 times a second with the bytes so far; `total` is known when the answer says its length.
  package var progress: (@Sendable (_ sent: Int, _ received: Int, _ total: Int?) -> Void)?

  package init(method: String, url: String, headers: [HTTPHeader] = [], body: Body = .none) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// What came back in one exchange, whatever its status; a status of 400 is an answer, not a failure.
package struct HTTPResponse: Sendable {
  /// The statuses that lead to the same thing elsewhere (RFC 9110, 15.4); 300 and 304 do not.
  static let redirects: Set = [301, 302, 303, 307, 308]

  package var status: Int
  package var headers: [HTTPHeader]
  /// Empty where the body went to a file or a stream.
  package var body: [UInt8]
  /// How many bytes of body came, wherever they went.
  package var bytes: Int
  /// The scope of the address that answered; nil where a proxy stands in between.
  package var scope: NetworkScope?
  /// Whether the body was held back from the request's sink, where it still has to go if it is what was asked for.
  package var isHeldBack = false

  package init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = [], bytes: Int? = nil) {
    self.status = status
    self.headers = headers
    self.body = body
    self.bytes = bytes ?? body.count
  }

  /// The first header of that name, in any case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.utf8.elementsEqual(name.utf8) || $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// Why no answer came.
package enum HTTPFailure: Error, Sendable, Equatable {
  /// The other side could not be reached or the connection broke. `cause` is one of `resolve`, `connect`, `tls`, `proxy`, `broken`, `protocol`;
  /// `answered` tells whether any byte of an answer had come, because only a request that got none may be sent again.
  case network(host: String, cause: String, answered: Bool)
  /// The request's seconds ran out.
  case timedOut(host: String)
  case tooLarge(maxBytes: Int)
  /// The host has no address within the request's `scopeLimit`, so nothing was sent.
  case outOfScope(host: String)
  /// A body could not be read or an answer not written; `errno`'s text stands in `reason`.
  case file(path: String, reason: String)
  case cancelled
  /// libcurl itself is missing or would not start.
  case unavailable(reason: String)

  /// The cause of a `network` failure for want of a file descriptor.
  static let noDescriptors = "descriptors"
}
