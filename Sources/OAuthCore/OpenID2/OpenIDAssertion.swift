/// A positive assertion (OpenID Authentication 2.0, section 11). Creating it checks its form only.
///
/// Later steps verify the provider's signature, whether the nonce is new, and whether the provider may assert the claimed identifier.
package struct OpenIDAssertion: Sendable {
  /// What the request allows the response to contain.
  package struct Expectation: Sendable {
    package var endpoint: String
    package var returnTo: String
    package var dialect: OpenIDAuthenticationRequest.Dialect
    /// The beginning of the provider's own claimed identifiers, which one unreserved segment must follow.
    /// If nil, the provider may assert only URLs of its endpoint's own origin.
    package var claimedIds: String?

    package init(endpoint: String, returnTo: String, dialect: OpenIDAuthenticationRequest.Dialect = .standard, claimedIds: String? = nil) {
      (self.endpoint, self.returnTo, self.dialect, self.claimedIds) = (endpoint, returnTo, dialect, claimedIds)
    }

    /// Returns whether the message's namespace is that of OpenID 2.0.
    func isOfItsVersion(_ message: OpenIDMessage) -> Bool {
      guard let namespace = message["ns"] else { return dialect == .bare }
      return namespace == OpenIDMessage.namespace
    }
  }

  package let message: OpenIDMessage
  /// The fields that the signature covers. The other fields are not proven.
  package let signed: OpenIDMessage
  package let nonce: String
  private let expectation: Expectation

  /// `parameters` are all parameters of the redirect. They must include those of `return_to`.
  package init(
    _ message: OpenIDMessage, parameters: [RedirectParameter], expecting expectation: Expectation, now: Int
  ) throws(OAuthFailure) {
    (self.message, self.expectation) = (message, expectation)
    guard expectation.isOfItsVersion(message) else { throw .untrusted("the response uses a version of OpenID other than the request's") }
    try Self.checkReturnTo(message["return_to"], parameters, expectation.returnTo)

    guard let list = message["signed"], message["sig"] != nil else { throw .untrusted("the response is not signed") }
    let names = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard Set(names).count == names.count else { throw .untrusted("the response's signature covers a field twice") }
    var fields: [(name: String, value: String)] = []
    for name in names {
      guard let field = message.fields.first(where: { $0.name == name }) else {
        throw .untrusted("the response's signature covers a missing field")
      }
      // With these characters, the signed text would be ambiguous (4.1.1).
      guard !name.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "\n") }),
        !field.value.utf8.contains(UInt8(ascii: "\n"))
      else { throw .untrusted("the response's signature covers a field with a line feed, or with a colon in its name") }
      fields.append(field)
    }
    signed = OpenIDMessage(fields)

    // 10.1: these fields must be signed, and therefore present. The other two must be signed if present.
    for name in ["op_endpoint", "return_to", "response_nonce", "assoc_handle"] where signed[name] == nil {
      throw .untrusted("the response's signature does not cover \(name)")
    }
    for name in ["claimed_id", "identity"] where message[name] != nil && signed[name] == nil {
      throw .untrusted("the response's signature does not cover \(name)")
    }
    guard message["op_endpoint"] == expectation.endpoint else {
      throw .untrusted("the response comes from an OpenID provider other than the expected one")
    }
    guard let nonce = signed["response_nonce"], let instant = OpenIDNonce(nonce) else {
      throw .untrusted("the response's nonce is malformed")
    }
    guard instant.isFresh(at: now) else { throw .untrusted("the response's nonce is too old, or from the future") }
    self.nonce = nonce
  }

  /// Checks 11.1: the URL matches ours, and the redirect has each of its parameters.
  private static func checkReturnTo(_ text: String?, _ parameters: [RedirectParameter], _ own: String) throws(OAuthFailure) {
    let failure = OAuthFailure.untrusted("the response is for another return_to address")
    guard let asked = try? URLParts(own), let responded = text.flatMap({ try? URLParts($0) }) else { throw failure }
    // An app's own scheme has no port.
    guard responded.scheme == asked.scheme, responded.host == asked.host, responded.port == asked.port, responded.path == asked.path,
      responded.userInfo == asked.userInfo
    else { throw failure }
    let askedPairs = FormEncoding.decodeLeniently(asked.query ?? "")
    let respondedPairs = FormEncoding.decodeLeniently(responded.query ?? "")
    guard askedPairs.allSatisfy({ pair in respondedPairs.contains { $0 == pair } }),
      respondedPairs.allSatisfy({ pair in parameters.contains { $0.name == pair.0 && $0.value == pair.1 } })
    else { throw failure }
  }
}

// MARK: Signature (11.4.2)
extension OpenIDAssertion {
  /// The request that asks the provider to verify its signature: all fields unchanged except for the mode.
  package var verificationRequest: HTTPRequest {
    var copy = message
    copy.set("mode", "check_authentication")
    return copy.directRequest(to: expectation.endpoint)
  }

  /// Checks the provider's response to `verificationRequest`; throws unless it confirms the signature.
  ///
  /// Ignores an association to invalidate (`invalidate_handle`), since the process makes none.
  package func check(_ response: HTTPResponse) throws(OAuthFailure) {
    guard response.status == 200 else {
      throw OAuthFailure(
        .authorizationServerError, "the OpenID provider did not check its response: status \(response.status)",
        details: [.init("httpStatus", .integer(response.status))], isRetryable: response.status >= 500)
    }
    let verification = try OpenIDMessage(response)
    guard verification["is_valid"] == "true" else { throw .untrusted("the response's signature is not the provider's") }
    // Some providers omit `ns` here. The connection proves the sender, so `ns` is not needed.
    guard verification["ns"] == nil || expectation.isOfItsVersion(verification) else {
      throw .untrusted("the OpenID provider verified its response with a version of OpenID other than the request's")
    }
  }
}

// MARK: Claimed identifier (11.2)
extension OpenIDAssertion {
  /// Returns the claimed identifier if the provider may assert it.
  ///
  /// Returns nil if the assertion names no user: 11.2 allows that for the sake of its extensions, and a bare request asks for no user.
  package func subject() throws(OAuthFailure) -> String? {
    switch (message["claimed_id"], message["identity"]) {
    case (nil, nil):
      guard expectation.dialect == .bare else { throw .untrusted("the response names no user") }
      return nil
    case (let claimed?, let identity?):
      guard isOwn(claimed, identity) else { throw .untrusted("the response names an identifier that is not the provider's own") }
      return claimed
    default: throw .untrusted("the response has only one of claimed_id and identity")
    }
  }

  private func isOwn(_ claimed: String, _ identity: String) -> Bool {
    if let own = expectation.claimedIds {
      let rest = claimed.utf8.dropFirst(own.utf8.count)
      return claimed.utf8.starts(with: own.utf8) && !rest.isEmpty && rest.allSatisfy(PercentEncoding.isUnreserved) && identity == claimed
    }
    guard let url = try? URLParts(claimed), let endpoint = try? URLParts(expectation.endpoint) else { return false }
    return url.origin == endpoint.origin && url.userInfo == nil
  }
}

/// The result of a verified assertion: the user, and the signed attributes.
package struct OpenIDIdentity: Sendable {
  /// The claimed identifier.
  package var subject: String?
  package var attributes: [(name: String, value: String)] = []

  package init() {}

  /// `trusted` contains only the signed fields.
  package init(_ trusted: OpenIDMessage, subject: String?, _ options: OpenIDOptions) {
    self.subject = subject
    attributes = options.openidAttributes.values(in: trusted)
  }
}
