import Jansson
import OAuthCore
import Store

/// What the members imply, and whether they fit each other.
extension SignInOptions {
  /// Completes members that were read in a place. `listen` and `resources` are as they are written.
  mutating func settle(_ fields: ObjectReader, _ listen: String?, _ resources: [String], in place: Place) throws(FieldError) {
    if place != .imported { try fields.check(scopes: scopes) }
    if place == .entry { return try settleEntry(fields, listen, resources) }
    credentials.secret = clientSecret?.literal
    credentials.key = privateKey?.literal.map { ClientKey(.text($0), id: keyId, algorithm: signingAlgorithm?.rawValue) }
    if place == .imported { return }
    if privateKey == nil, keyId != nil || signingAlgorithm != nil {
      throw FieldError(fields.pointer(keyId == nil ? "signingAlgorithm" : "keyId"), "needs a privateKey in the same request")
    }
    // They stand for a whole request (RFC 9101, 5): the provider would ignore the process's own parameters, such as `state`.
    for name in ["request", "request_uri"] where parameters?[name] != nil {
      throw FieldError(ObjectReader.pointer(to: name, in: fields.pointer("parameters")), "replaces the process's own parameters")
    }
    guard let redirectUri, redirectUri.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return }
    throw FieldError(fields.pointer("redirectUri"), "must not contain blanks or control characters")
  }

  private mutating func settleEntry(_ fields: ObjectReader, _ listen: String?, _ resources: [String]) throws(FieldError) {
    if case .signer? = privateKey, signingAlgorithm == nil {
      throw FieldError(fields.pointer("signingAlgorithm"), "is missing", ": a command that signs does not say which algorithm it uses")
    }
    if let listen {
      self.listen = LoopbackAddress(listen: listen)
      let problem = redirectUri == nil ? "needs a redirectUri beside it" : "must be an IP address and a port, such as 127.0.0.1:8000"
      if self.listen == nil || redirectUri == nil { throw FieldError(fields.pointer("listen"), problem) }
    }
    if browser?.first?.isEmpty ?? (browser != nil) { throw FieldError(fields.pointer("browser"), "must name a program") }
    let members = [("executable", sources.executable), ("subject", sources.subject), ("impersonate", sources.impersonate)]
    if sources.serviceAccount == nil, let (member, _) = members.first(where: { $0.1 != nil }) {
      throw FieldError(fields.pointer(member), "needs a serviceAccount")
    }
    // Its assertion takes the place of a client and a user.
    if sources.serviceAccount != nil { provider = provider ?? .preset("google") }
    if flow == .auto, sources.serviceAccount != nil || provider?.takesOnlyAssertions == true { flow = .jwtBearer }
    try checkClientMembers(fields)
    if resource != "off", resource != nil, resources.isEmpty || !resources.allSatisfy({ $0.contains(":") && !$0.contains(" ") }) {
      throw FieldError(fields.pointer("resource"), "must be a URI, a list of URIs, or off")
    }
    if let resource, let named = provider { provider = named.with(resource: resource) }
  }

  /// Rejects members that the account's flow does not send.
  private func checkClientMembers(_ fields: ObjectReader) throws(FieldError) {
    let member = sources.tokens.first?.member ?? clientRequest.firstMember
    if let member, sources.serviceAccount != nil {
      throw FieldError(fields.pointer(member), "has no use beside a serviceAccount", ", whose file says what is sent")
    }
    if let member, flow?.isForClient != true {
      throw FieldError(fields.pointer(member), "needs a flow without a user", ", such as jwtBearer or tokenExchange")
    }
    guard flow == .identityAssertion else { return }
    if case .account = sources["subjectToken"] { return }
    throw FieldError(fields.pointer("subjectToken"), "must be {\"account\": …}", ": the account of the user's identity provider")
  }
}
