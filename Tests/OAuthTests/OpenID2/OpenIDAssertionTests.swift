import Testing

@testable import OAuth

@Suite struct OpenIDAssertionTests {
  private static let service = OpenIDService(
    kind: .signon, endpoint: "https://op.example/e", claimedId: "https://me.example/", localId: "https://op.example/me")

  private func assertion(
    _ sample: SampleAssertion = SampleAssertion(), service: OpenIDService = Self.service,
    dialect: OpenIDAuthenticationRequest.Dialect = .standard, claimedIds: String? = nil, signing: Bool = true,
    now: Int = SampleAssertion.now
  ) throws -> OpenIDAssertion {
    let parameters = try sample.parameters(signing: signing)
    return try OpenIDAssertion(
      try OpenIDMessage(parameters), parameters: parameters,
      expecting: .init(service: service, returnTo: SampleAssertion.returnTo, dialect: dialect, claimedIds: claimedIds), now: now)
  }

  private func isUntrusted(_ change: (inout SampleAssertion) -> Void, now: Int = SampleAssertion.now) -> Bool {
    var sample = SampleAssertion()
    change(&sample)
    do {
      _ = try assertion(sample, now: now)
      return false
    } catch {
      return (error as? OAuthFailure)?.kind == .responseUntrusted
    }
  }

  @Test func believed() throws {
    let assertion = try assertion()
    #expect(try assertion.isSigned(by: SampleAssertion.association) && assertion.claim() == .confirmed("https://me.example/"))
    #expect(assertion.associationHandle == "{h}" && assertion.nonce == "1970-01-12T13:46:40Zabc")
  }

  /// The order of the parameters is nobody's promise; the order in which they are signed is.
  @Test func reordered() throws {
    var sample = SampleAssertion()
    sample.fields.reverse()
    sample.query.reverse()
    #expect(try assertion(sample).isSigned(by: SampleAssertion.association))
    let parameters = try sample.parameters().map { parameter in
      parameter.name == "openid.signed"
        ? RedirectParameter(name: parameter.name, value: sample.signed.reversed().joined(separator: ",")) : parameter
    }
    let reordered = try OpenIDAssertion(
      try OpenIDMessage(parameters), parameters: parameters, expecting: .init(service: Self.service, returnTo: SampleAssertion.returnTo),
      now: SampleAssertion.now)
    #expect(try !reordered.isSigned(by: SampleAssertion.association))
  }

  /// Whatever is changed after it was signed, the signature no longer fits.
  @Test(arguments: ["op_endpoint", "claimed_id", "identity", "return_to", "response_nonce", "assoc_handle", "mode"])
  func forged(name: String) throws {
    let sample = SampleAssertion()
    let parameters = try sample.parameters().map { parameter in
      parameter.name == "openid." + name ? RedirectParameter(name: parameter.name, value: parameter.value + "x") : parameter
    }
    do throws(OAuthFailure) {
      let assertion = try OpenIDAssertion(
        try OpenIDMessage(parameters), parameters: parameters, expecting: .init(service: Self.service, returnTo: SampleAssertion.returnTo),
        now: SampleAssertion.now)
      #expect(try !assertion.isSigned(by: SampleAssertion.association))
    } catch {
      #expect(error.kind == .responseUntrusted)
    }
  }

  @Test func otherKeys() throws {
    let assertion = try assertion()
    let other = OpenIDAssociation(handle: "{h}", kind: .hmacSHA256, key: [UInt8](repeating: 8, count: 32), expiresAt: 2_000_000)
    let sha1 = OpenIDAssociation(handle: "{h}", kind: .hmacSHA1, key: SampleAssertion.key, expiresAt: 2_000_000)
    #expect(try !assertion.isSigned(by: other) && !assertion.isSigned(by: sha1))
  }

  @Test(arguments: ["op_endpoint", "claimed_id", "identity", "return_to", "response_nonce", "assoc_handle"])
  func whatHasToBeSigned(name: String) {
    #expect(isUntrusted { $0.signed.removeAll { $0 == name } })
    // Signed and absent is no better, and one that stands twice signs nothing that two readers agree on.
    #expect(isUntrusted { $0.set(name, nil) })
    #expect(isUntrusted { $0.signed.append(name) })
  }

  @Test func signaturesThatAreNone() {
    var sample = SampleAssertion()
    #expect(throws: OAuthFailure.self) { try assertion(sample, signing: false) }
    sample.set("sig", "no base 64")
    #expect(throws: OAuthFailure.self) { try assertion(sample, signing: false) }
    #expect(isUntrusted { $0.signed = [] } && isUntrusted { $0.signed.append("") } && isUntrusted { $0.signed.append("unknown") })
    var multiline = SampleAssertion()
    multiline.set("x", "a\nmode:y")
    multiline.signed.append("x")
    #expect(throws: KeyValueForm.Failure.self) { try multiline.parameters() }
  }

  @Test(arguments: [
    "http://app.example:8443/cb?x=1&state=s", "https://app.example/cb?x=1&state=s", "https://evil.example:8443/cb?x=1&state=s",
    "https://app.example:8443/cb/?x=1&state=s", "https://app.example:8443/?x=1&state=s", "https://app.example:8443/cb?x=1",
    "https://app.example:8443/cb?state=s", "https://app.example:8443/cb?x=1&state=t", "https://app.example:8443/cb?x=1&state=s&more=1",
    "https://u@app.example:8443/cb?x=1&state=s", "/cb?x=1&state=s", "",
  ])
  func otherReturnTo(place: String) { #expect(isUntrusted { $0.set("return_to", place) }) }

  @Test func returnTo() {
    // The same place in another spelling, and parameters that the way added to the redirect itself.
    #expect(!isUntrusted { $0.set("return_to", "HTTPS://App.Example:8443/cb?state=%73&x=1") })
    #expect(!isUntrusted { $0.query.append(("added", "1")) })
    #expect(isUntrusted { $0.query.removeLast() } && isUntrusted { $0.query[1].value = "t" })
  }

  @Test func otherPlacesAndTimes() {
    #expect(
      isUntrusted { $0.set("op_endpoint", "https://op.example/e/") } && isUntrusted { $0.set("op_endpoint", "https://evil.example/e") })
    #expect(isUntrusted { $0.set("ns", "http://openid.net/signon/1.1") } && isUntrusted { $0.set("ns", nil) })
    #expect(isUntrusted { $0.set("response_nonce", "yesterday") })
    #expect(isUntrusted({ _ in }, now: SampleAssertion.now + 3601) && isUntrusted({ _ in }, now: SampleAssertion.now - 3601))
    #expect(!isUntrusted({ _ in }, now: SampleAssertion.now + 3600) && !isUntrusted({ _ in }, now: SampleAssertion.now - 3600))
  }

  // MARK: Who it is about

  private func claim(
    _ claimed: String?, _ identity: String?, service: OpenIDService = Self.service,
    dialect: OpenIDAuthenticationRequest.Dialect = .standard,
    claimedIds: String? = nil
  ) throws -> OpenIDAssertion.Claim? {
    var sample = SampleAssertion()
    sample.set("claimed_id", claimed)
    sample.set("identity", identity)
    sample.signed.removeAll { ($0 == "claimed_id" && claimed == nil) || ($0 == "identity" && identity == nil) }
    let assertion = try assertion(sample, service: service, dialect: dialect, claimedIds: claimedIds)
    do throws(OAuthFailure) {
      return try assertion.claim()
    } catch {
      #expect(error.kind == .responseUntrusted)
      return nil
    }
  }

  private let anybody = OpenIDService(kind: .server, endpoint: "https://op.example/e")

  @Test func claims() throws {
    #expect(try claim("https://me.example/#2", "https://op.example/me") == .confirmed("https://me.example/#2"))
    #expect(try claim("https://ME.example", "https://op.example/me") == .confirmed("https://me.example/"))
    #expect(try claim("https://me.example/", "https://op.example/you") == nil)
    #expect(try claim("https://you.example/", "https://op.example/me") == .lookUp(try OpenIDIdentifier("https://you.example/")))
    #expect(
      try claim("https://op.example/u#1", "https://op.example/u", service: anybody) == .lookUp(try OpenIDIdentifier("https://op.example/u"))
    )
    let own = OpenIDService(kind: .signon, endpoint: "https://op.example/e", claimedId: "https://me.example/")
    #expect(try claim("https://me.example/", "https://me.example/", service: own) == .confirmed("https://me.example/"))
    #expect(try claim("https://me.example/#2", "https://me.example/", service: own) == .confirmed("https://me.example/#2"))
    #expect(try claim("https://me.example/", "https://you.example/", service: own) == nil)
  }

  @Test func claimsThatAreNone() throws {
    #expect(try claim(nil, nil) == nil && claim(nil, nil, dialect: .bare) == OpenIDAssertion.Claim.none)
    #expect(try claim("https://me.example/", nil) == nil && claim(nil, "https://op.example/me") == nil)
    #expect(try claim("http://me.example/", "http://me.example/", service: anybody) == nil && claim("=me", "=me", service: anybody) == nil)
    #expect(try claim(OpenIDMessage.identifierSelect, OpenIDMessage.identifierSelect, service: anybody) == nil)
  }

  /// As Steam names its users; whatever only looks like it is somebody else's.
  @Test func ownIdentifiers() throws {
    let own = "https://op.example/openid/id/"
    #expect(
      try claim(own + "76561197960435530", own + "76561197960435530", service: anybody, claimedIds: own)
        == .confirmed(own + "76561197960435530"))
    for other in [
      own, own + "1/2", own + "1?x", own + "../x", "https://evil.example/" + own + "1", "https://evil.example/openid/id/1", own + "1%2F2",
      "https://op.example/openid/id", "https://op.example.evil.example/openid/id/1", own + "1#x",
    ] {
      #expect(try claim(other, other, service: anybody, claimedIds: own) == nil, "\(other)")
    }
    #expect(try claim(own + "1", own + "2", service: anybody, claimedIds: own) == nil)
  }

  /// Spark is asked about nobody, and names its own users.
  @Test func bareIdentifiers() throws {
    #expect(
      try claim("https://op.example/users/1", "https://op.example/users/1", service: anybody, dialect: .bare)
        == .confirmed("https://op.example/users/1"))
    #expect(
      try claim("https://me.example/", "https://op.example/me", service: anybody, dialect: .bare)
        == .lookUp(try OpenIDIdentifier("https://me.example/")))
  }

  @Test func lookedUp() throws {
    let assertion = try assertion(service: anybody)
    func subject(_ services: [OpenIDService]) -> String? { try? assertion.subject(confirmedBy: services) }
    var service = Self.service
    #expect(subject([anybody, service]) == "https://me.example/" && subject([]) == nil && subject([anybody]) == nil)
    service.kind = .signon1
    #expect(subject([service]) == nil)
    for change in [
      { (service: inout OpenIDService) in service.endpoint = "https://evil.example/" }, { $0.localId = nil },
      { $0.localId = "https://op.example/you" },
      { $0.claimedId = "https://you.example/" },
    ] {
      var other = Self.service
      change(&other)
      #expect(subject([other]) == nil)
    }
  }

  /// An answer of one version is none to a question of the other, and 1.1's has to be signed where it counts.
  @Test func versions() throws {
    let old = OpenIDService(
      kind: .signon1, endpoint: "https://op.example/e", claimedId: "https://me.example/", localId: "https://op.example/me")
    var sample = SampleAssertion()
    #expect(throws: OAuthFailure.self) { try assertion(sample, service: old) }
    for name in ["ns", "op_endpoint", "claimed_id", "response_nonce"] { sample.set(name, nil) }
    sample.signed = ["mode", "identity", "return_to"]
    #expect(throws: OAuthFailure.self) { try assertion(sample) }
    #expect(try assertion(sample, service: old).claim() == .confirmed("https://me.example/"))
    for name in ["identity", "return_to"] {
      var less = sample
      less.signed.removeAll { $0 == name }
      #expect(throws: OAuthFailure.self) { try assertion(less, service: old) }
    }
    sample.set("ns", "http://openid.net/signon/1.1")
    #expect(try assertion(sample, service: old).nonce == nil)
    sample.set("identity", "https://op.example/you")
    #expect(throws: OAuthFailure.self) { try assertion(sample, service: old).claim() }
  }

  // MARK: Asking the provider

  @Test func verification() throws {
    let request = try assertion().verificationRequest
    #expect(request.url == "https://op.example/e" && request.field("openid.mode") == "check_authentication")
    #expect(
      request.field("openid.sig") != nil && request.field("openid.response_nonce") == "1970-01-12T13:46:40Zabc" && request.field("x") == nil
    )
    func answer(_ text: String, _ status: Int = 200) throws -> (isValid: Bool, forgottenHandle: String?) {
      try OpenIDAssertion.verification(HTTPResponse(status: status, body: Array(text.utf8)))
    }
    let good = try answer("ns:x\nis_valid:true\ninvalidate_handle:{h}\n")
    #expect(good.isValid && good.forgottenHandle == "{h}")
    #expect(
      try !answer("is_valid:false\n").isValid && !answer("is_valid:TRUE\n").isValid && !answer("x:y\n").isValid && !answer("").isValid)
    #expect(throws: OAuthFailure.self) { try answer("is_valid:true\n", 400) }
    #expect(throws: OAuthFailure.self) { try answer("is_valid:false\nis_valid:true\n") }
    #expect(throws: OAuthFailure.self) { try answer("<html>is_valid:true</html>\nx") }
  }
}
