import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

@Suite struct OpenIDAssertionTests {
  static let expectation = OpenIDAssertion.Expectation(
    endpoint: "https://op.example/e", returnTo: SampleAssertion.returnTo, claimedIds: SampleAssertion.claimedIds)

  func assertion(
    _ sample: SampleAssertion = SampleAssertion(), dialect: OpenIDAuthenticationRequest.Dialect = .standard,
    claimedIds: String? = SampleAssertion.claimedIds, signing: Bool = true, now: Int = SampleAssertion.now
  ) throws -> OpenIDAssertion {
    let parameters = sample.parameters(signing: signing)
    var expectation = Self.expectation
    expectation.dialect = dialect
    expectation.claimedIds = claimedIds
    return try OpenIDAssertion(try OpenIDMessage(parameters), parameters: parameters, expecting: expectation, now: now)
  }

  /// Returns whether the provider that signed the sample confirms the assertion.
  private func isVerified(_ assertion: OpenIDAssertion) -> Bool {
    do throws(OAuthFailure) {
      try assertion.check(SampleAssertion.verification(assertion.verificationRequest))
      return true
    } catch {
      #expect(error.kind == .responseUntrusted)
      return false
    }
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
    #expect(isVerified(assertion) && assertion.nonce == "1970-01-12T13:46:40Zabc")
    #expect(try assertion.subject() == SampleAssertion.claimedIds + "7")
  }

  /// Parameters may come in any order. The order of the signed fields is fixed.
  @Test func reordered() throws {
    var sample = SampleAssertion()
    sample.fields.reverse()
    sample.query.reverse()
    #expect(try isVerified(assertion(sample)))
    let parameters = sample.parameters().map { parameter in
      parameter.name == "openid.signed"
        ? RedirectParameter(name: parameter.name, value: sample.signed.reversed().joined(separator: ",")) : parameter
    }
    let reordered = try OpenIDAssertion(
      try OpenIDMessage(parameters), parameters: parameters, expecting: Self.expectation, now: SampleAssertion.now)
    #expect(!isVerified(reordered))
  }

  /// The provider no longer confirms an assertion that was changed after it was signed.
  @Test(arguments: ["op_endpoint", "claimed_id", "identity", "return_to", "response_nonce", "assoc_handle", "mode"])
  func forged(name: String) throws {
    let sample = SampleAssertion()
    let parameters = sample.parameters().map { parameter in
      parameter.name == "openid." + name ? RedirectParameter(name: parameter.name, value: parameter.value + "x") : parameter
    }
    do throws(OAuthFailure) {
      let message = try OpenIDMessage(parameters)
      do throws(OAuthFailure) { try message.checkMode() } catch {
        #expect(name == "mode")
        return
      }
      let assertion = try OpenIDAssertion(
        message, parameters: parameters, expecting: Self.expectation, now: SampleAssertion.now)
      #expect(!isVerified(assertion))
    } catch {
      #expect(error.kind == .responseUntrusted)
    }
  }

  @Test(arguments: ["op_endpoint", "claimed_id", "identity", "return_to", "response_nonce", "assoc_handle"])
  func requiredFieldsMustBeSigned(name: String) {
    #expect(isUntrusted { $0.signed.removeAll { $0 == name } })
    // A signed field must exist and must be listed once: readers disagree about repeated fields.
    #expect(isUntrusted { $0.set(name, nil) })
    #expect(isUntrusted { $0.signed.append(name) })
  }

  @Test func invalidSignatures() throws {
    var sample = SampleAssertion()
    #expect(throws: OAuthFailure.self) { try assertion(sample, signing: false) }
    for signature in ["no base 64", "AAAA", Base64.encode([UInt8](repeating: 0, count: 32))] {
      sample.set("sig", signature)
      #expect(try !isVerified(assertion(sample, signing: false)))
    }
    #expect(isUntrusted { $0.signed = [] } && isUntrusted { $0.signed.append("") } && isUntrusted { $0.signed.append("unknown") })
  }

  /// A line feed in a value, or a colon in a name, would give one signed text two readings.
  @Test(arguments: [("x", "a\nmode:y"), ("x", "a\r\n"), ("x:y", "a"), ("x\ny", "a")])
  func signedTextsWithTwoReadings(name: String, value: String) {
    #expect(
      isUntrusted {
        $0.set(name, value)
        $0.signed.append(name)
      })
    // Unsigned fields are ignored.
    #expect(!isUntrusted { $0.set(name, value) })
  }

  @Test(arguments: [
    "http://app.example:8443/cb?x=1&state=s", "https://app.example/cb?x=1&state=s", "https://evil.example:8443/cb?x=1&state=s",
    "https://app.example:8443/cb/?x=1&state=s", "https://app.example:8443/?x=1&state=s", "https://app.example:8443/cb?x=1",
    "https://app.example:8443/cb?state=s", "https://app.example:8443/cb?x=1&state=t", "https://app.example:8443/cb?x=1&state=s&more=1",
    "https://u@app.example:8443/cb?x=1&state=s", "/cb?x=1&state=s", "",
  ])
  func otherReturnTo(place: String) { #expect(isUntrusted { $0.set("return_to", place) }) }

  @Test func returnTo() {
    // The same address spelled differently, and parameters that were added on the way.
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

  // MARK: Asking the provider

  @Test func verification() throws {
    let request = try assertion().verificationRequest
    #expect(request.url == "https://op.example/e" && request.field("openid.mode") == "check_authentication")
    #expect(
      request.field("openid.sig") != nil && request.field("openid.response_nonce") == "1970-01-12T13:46:40Zabc" && request.field("x") == nil
    )
    func failure(_ text: String, _ status: Int = 200, of assertion: OpenIDAssertion) -> OAuthFailure.Kind? {
      do throws(OAuthFailure) {
        try assertion.check(HTTPResponse(status: status, body: Array(text.utf8)))
        return nil
      } catch {
        return error.kind
      }
    }
    let asked = try assertion()
    let namespace = "ns:http://specs.openid.net/auth/2.0\n"
    #expect(failure(namespace + "is_valid:true\n", of: asked) == nil)
    // The process made no association, so there is none to forget.
    #expect(failure(namespace + "is_valid:true\ninvalidate_handle:{h}\n", of: asked) == nil)
    for text in [
      "is_valid:false\n", "is_valid:TRUE\n", "is_valid:\n", "is_valid:1\n", "x:y\n", "", "is_valid:false\nis_valid:true\n",
      "<html>is_valid:true</html>\nx", "openid.is_valid:true\n",
    ] {
      #expect(failure(namespace + text, of: asked) == .responseUntrusted, "\(text)")
    }
    // Some providers leave the namespace out. A different namespace belongs to another version.
    #expect(failure("is_valid:true\n", of: asked) == nil)
    for text in ["ns:http://openid.net/signon/1.1\n", "ns:http://specs.openid.net/auth/2.0/\n"] {
      #expect(failure(text + "is_valid:true\n", of: asked) == .responseUntrusted, "\(text)")
    }
    #expect(failure(namespace + "is_valid:true\n", 400, of: asked) == .authorizationServerError)
    // A request in the bare dialect has no namespace, and the response may leave it out.
    let bare = try assertion(dialect: .bare)
    #expect(failure("is_valid:true\n", of: bare) == nil && failure(namespace + "is_valid:true\n", of: bare) == nil)
    #expect(failure("ns:http://openid.net/signon/1.1\nis_valid:true\n", of: bare) == .responseUntrusted)
  }
}
