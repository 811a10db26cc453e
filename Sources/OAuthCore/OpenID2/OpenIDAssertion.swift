/// A positive assertion (OpenID Authentication 2.0, section 11). Creating it checks its form only.
///
/// Later steps verify the provider's signature, whether the nonce is new, and whether the provider may assert the claimed identifier.
package struct OpenIDAssertion: Sendable {
  /// What the request allows the response to contain.
  package struct Expectation: Sendable {
    package var service: OpenIDService
    package var returnTo: String
    package var dialect: OpenIDAuthenticationRequest.Dialect
    /// The beginning of the provider's own claimed identifiers, which one unreserved segment must follow. If nil, each identifier is looked up.
    package var claimedIds: String?

    package init(
      service: OpenIDService, returnTo: String, dialect: OpenIDAuthenticationRequest.Dialect = .standard, claimedIds: String? = nil
    ) {
      self.service = service
      self.returnTo = returnTo
      self.dialect = dialect
      self.claimedIds = claimedIds
    }

    /// Returns whether the message's namespace belongs to the requested version.
    func isOfItsVersion(_ message: OpenIDMessage) -> Bool {
      let isFirstVersion = service.kind == .signon1
      guard let namespace = message["ns"] else { return isFirstVersion || dialect == .bare }
      return isFirstVersion ? OpenIDMessage.namespaces1.contains(namespace) : namespace == OpenIDMessage.namespace
    }
  }

  /// Whether the claimed identifier is confirmed (11.2).
  package enum Claim: Sendable, Equatable {
    /// The assertion has no identifier. 11.2 allows this, for its extensions only.
    case none
    /// The identifier was looked up before, or the provider's description vouches for it.
    case confirmed(String)
    /// The identifier must be looked up; `subject(confirmedBy:)` then checks whether the provider may assert it.
    case lookUp(OpenIDIdentifier)
  }

  package let message: OpenIDMessage
  /// The fields that the signature covers. The other fields are not proven.
  package let signed: OpenIDMessage
  /// nil with OpenID 1.1, where the state in `return_to` makes a response valid only once.
  package let nonce: String?
  private let expectation: Expectation

  /// `parameters` are all parameters of the redirect. They must include those of `return_to`.
  package init(
    _ message: OpenIDMessage, parameters: [RedirectParameter], expecting expectation: Expectation, now: Int
  ) throws(OAuthFailure) {
    self.message = message
    self.expectation = expectation
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

    if expectation.service.kind == .signon1 {
      // OpenID Authentication 1.1, 4.4.1, requires only these two. The claimed identifier is the one that was looked up.
      for name in ["identity", "return_to"] where signed[name] == nil {
        throw .untrusted("the response's signature does not cover \(name)")
      }
      nonce = nil
      return
    }
    // 10.1: these fields must be signed, and therefore present. The other two must be signed if present.
    for name in ["op_endpoint", "return_to", "response_nonce", "assoc_handle"] where signed[name] == nil {
      throw .untrusted("the response's signature does not cover \(name)")
    }
    for name in ["claimed_id", "identity"] where message[name] != nil && signed[name] == nil {
      throw .untrusted("the response's signature does not cover \(name)")
    }
    guard message["op_endpoint"] == expectation.service.endpoint else {
      throw .untrusted("the response comes from an OpenID provider other than the expected one")
    }
    guard let nonce = signed["response_nonce"], let instant = OpenIDNonce(nonce) else {
      throw .untrusted("the response's nonce is malformed")
    }
    guard instant.isFresh(at: now) else { throw .untrusted("the response's nonce is too old, or from the future") }
    self.nonce = nonce
  }

  /// Checks 11.1: the URL matches ours, and the redirect has each of its parameters.
  private static func checkReturnTo(
    _ text: String?, _ parameters: [RedirectParameter], _ own: String
  ) throws(OAuthFailure) {
    let failure = OAuthFailure.untrusted("the response is for another return_to address")
    let asked: URLParts
    let responded: URLParts
    do throws(URLFailure) {
      guard let text else { throw .scheme }
      asked = try URLParts(own)
      responded = try URLParts(text)
    } catch {
      throw failure
    }
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
    return copy.directRequest(to: expectation.service.endpoint)
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
  package func claim() throws(OAuthFailure) -> Claim {
    if expectation.service.kind == .signon1 {
      guard let known = expectation.service.claimedId, let identity = message["identity"], identity == expectation.service.localId ?? known
      else {
        throw .untrusted("the response names an identifier other than the requested one")
      }
      return .confirmed(known)
    }
    switch (message["claimed_id"], message["identity"]) {
    case (nil, nil):
      guard expectation.dialect == .bare else { throw .untrusted("the response names no user") }
      return .none
    case (let claimed?, let identity?):
      let (identifier, subject) = try Self.identifier(claimed)
      if let known = expectation.service.claimedId, known == identifier.description {
        guard Self.isLocalName(identity, of: expectation.service, claimed) else {
          throw .untrusted("the response names a local identifier other than the requested one")
        }
        return .confirmed(subject)
      }
      guard let own = expectation.claimedIds else {
        // A bare request names no user, so the provider may assert its own users, at its own origin.
        if expectation.dialect == .bare, let endpoint = try? URLParts(expectation.service.endpoint),
          endpoint.origin == identifier.url.origin
        {
          return .confirmed(subject)
        }
        return .lookUp(identifier)
      }
      let rest = subject.hasPrefix(own) ? subject.utf8.dropFirst(own.utf8.count) : nil
      // The provider writes its own identifiers in one form. Another spelling may be an attempt to be read as a different user.
      guard let rest, !rest.isEmpty, rest.allSatisfy(PercentEncoding.isUnreserved), identity == claimed, claimed == subject else {
        throw .untrusted("the response names an identifier that is not the provider's own")
      }
      return .confirmed(subject)
    default: throw .untrusted("the response has only one of claimed_id and identity")
    }
  }

  /// Returns the subject if a looked-up service of the claimed identifier is the responding provider, with the same local identifier.
  package func subject(confirmedBy services: [OpenIDService]) throws(OAuthFailure) -> String {
    guard let claimed = message["claimed_id"], let identity = message["identity"] else { throw .untrusted("the response names no user") }
    let (identifier, subject) = try Self.identifier(claimed)
    let isConfirmed = services.contains { service in
      service.kind == .signon && service.endpoint == message["op_endpoint"] && service.claimedId == identifier.description
        && Self.isLocalName(identity, of: service, claimed)
    }
    guard isConfirmed else { throw .untrusted("the provider that answered is not authorized for the identifier that it names") }
    return subject
  }

  /// Checks the local identifier. Without one, the provider uses the claimed identifier, with or without its fragment.
  private static func isLocalName(_ identity: String, of service: OpenIDService, _ claimed: String) -> Bool {
    if let localId = service.localId { return identity == localId }
    return identity == claimed || identity == service.claimedId
  }

  /// Returns the identifier for the lookup, and the subject with the fragment, which separates its current owner from earlier ones (11.5.2).
  private static func identifier(_ claimed: String) throws(OAuthFailure) -> (OpenIDIdentifier, subject: String) {
    do throws(OAuthFailure) {
      let identifier = try OpenIDIdentifier(url: claimed)
      let fragment = claimed.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(claimed[$0...]) } ?? ""
      return (identifier, identifier.description + fragment)
    } catch {
      throw .untrusted("the response's claimed identifier cannot be trusted: \(error.message)")
    }
  }
}
