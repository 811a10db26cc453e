/// Why there is no response.
package enum HTTPFailure: Error, Sendable, Equatable {
  /// The host could not be reached or the connection broke.
  /// `cause` is `resolve`, `connect`, `tls`, `proxy`, `broken`, `protocol` or `descriptors`.
  /// `answered` says whether any byte of a response was received. Only a request without a response may be sent again.
  case network(host: String, cause: String, answered: Bool)
  /// The request's time limit passed.
  case timedOut(host: String)
  case tooLarge(maxBytes: Int)
  /// The host has no address within the request's `scopeLimit`, or a public one, which http does not reach. Nothing was sent.
  case outOfScope(host: String, isPublic: Bool = false)
  /// A body could not be read or a response not written. `reason` is `errno`'s text.
  case file(path: String, reason: String)
  /// A file may not be replaced.
  case exists(path: String)
  case cancelled
  /// libcurl is missing or could not start.
  case unavailable(reason: String)

  /// The cause of a `network` failure when the process has no free file descriptor.
  package static let noDescriptors = "descriptors"
}
