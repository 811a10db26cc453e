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

/// How long metadata and keys are used again, in seconds, whatever their responses say.
package enum CacheLifetime {
  /// Issuers announce rotations days ahead, an unknown key is looked for at once, and one fetch an hour is cheap.
  package static let usual = 3600
  /// For the default endpoints of a server without metadata, which it may publish later.
  package static let unpublished = 300
}
