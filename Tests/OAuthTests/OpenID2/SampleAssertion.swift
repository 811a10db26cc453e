import Crypto

@testable import OAuth

/// A provider's positive assertion as it would be sent, to be changed before or after it is signed.
struct SampleAssertion {
  static let key = [UInt8](repeating: 7, count: 32)
  static let association = OpenIDAssociation(handle: "{h}", kind: .hmacSHA256, key: key, expiresAt: 2_000_000)
  /// Stage's clock: 1970-01-12T13:46:40Z.
  static let now = 1_000_000
  static let returnTo = "https://app.example:8443/cb?x=1&state=s"

  var fields: [(name: String, value: String)] = [
    ("ns", OpenIDMessage.namespace), ("mode", "id_res"), ("op_endpoint", "https://op.example/e"), ("claimed_id", "https://me.example/"),
    ("identity", "https://op.example/me"), ("return_to", Self.returnTo), ("response_nonce", "1970-01-12T13:46:40Zabc"),
    ("assoc_handle", "{h}"),
  ]
  var signed = ["op_endpoint", "claimed_id", "identity", "return_to", "response_nonce", "assoc_handle", "mode"]
  /// What the request's own query has, beside the message.
  var query: [(name: String, value: String)] = [("x", "1"), ("state", "s")]

  mutating func set(_ name: String, _ value: String?) {
    fields.removeAll { $0.name == name }
    if let value { fields.append((name, value)) }
  }

  func value(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }

  /// The redirect's parameters, with the signature over what is there now.
  func parameters(signing: Bool = true) throws -> [RedirectParameter] {
    var all = fields + [("signed", signed.joined(separator: ","))]
    if signing {
      let text = try KeyValueForm.encode(signed.map { ($0, value($0)) })
      let code = HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: Self.key))
      all.append(("sig", Base64.encode(Array(code))))
    }
    return query.map { RedirectParameter(name: $0.name, value: $0.value) }
      + all.map { RedirectParameter(name: "openid." + $0.name, value: $0.value) }
  }
}
