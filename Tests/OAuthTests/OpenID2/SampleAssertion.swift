import Crypto
import TestSupport

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// A provider's positive assertion, which a test may change before or after it is signed.
struct SampleAssertion {
  private static let key = SymmetricKey(data: [UInt8](repeating: 7, count: 32))
  /// Stage's clock: 1970-01-12T13:46:40Z.
  static let now = 1_000_000
  /// What all identifiers of the provider start with.
  static let claimedIds = "https://op.example/id/"
  static let returnTo = "https://app.example:8443/cb?x=1&state=s"

  var fields: [(name: String, value: String)] = [
    ("ns", OpenIDMessage.namespace), ("mode", "id_res"), ("op_endpoint", "https://op.example/e"), ("claimed_id", Self.claimedIds + "7"),
    ("identity", Self.claimedIds + "7"), ("return_to", Self.returnTo), ("response_nonce", "1970-01-12T13:46:40Zabc"),
    ("assoc_handle", "{h}"),
  ]
  var signed = ["op_endpoint", "claimed_id", "identity", "return_to", "response_nonce", "assoc_handle", "mode"]
  /// The parameters of the redirect's own query, beside the message.
  var query: [(name: String, value: String)] = [("x", "1"), ("state", "s")]

  mutating func set(_ name: String, _ value: String?) {
    fields.removeAll { $0.name == name }
    if let value { fields.append((name, value)) }
  }

  func value(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }

  /// Returns the redirect's parameters, with a signature over the current fields.
  func parameters(signing: Bool = true) -> [RedirectParameter] {
    var all = fields + [("signed", signed.joined(separator: ","))]
    if signing { all.append(("sig", Self.signature(over: signed, value))) }
    return query.map { RedirectParameter(name: $0.name, value: $0.value) }
      + all.map { RedirectParameter(name: "openid." + $0.name, value: $0.value) }
  }

  private static func signature(over names: [String], _ value: (String) -> String) -> String {
    let text = names.map { "\($0):\(value($0))\n" }.joined()
    return Base64.encode(Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)))
  }

  /// Returns the signing provider's answer to a verification: it signs the fields again and compares.
  static func verification(_ request: HTTPRequest, additions: String = "") -> HTTPResponse {
    // The signed mode was the assertion's mode (OpenID Authentication 2.0, 11.4.2.1).
    func value(_ name: String) -> String { name == "mode" ? "id_res" : request.field("openid." + name) ?? "" }
    let isItsOwn =
      request.field("openid.mode") == "check_authentication"
      && value("sig") == signature(over: value("signed").split(separator: ",").map(String.init), value)
    let namespace = request.field("openid.ns").map { "ns:\($0)\n" } ?? ""
    return HTTPResponse(status: 200, body: Array((namespace + "is_valid:\(isItsOwn)\n" + additions).utf8))
  }
}
