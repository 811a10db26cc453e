import OAuthCore

/// One parameter, not encoded. Descriptions hide the value, since it may be a secret.
package struct OAuth1Parameter: Sendable, Equatable, Confidential {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  package var description: String { "\(name)=…" }
  package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension OAuth1Parameter {
  /// Whether the parameter belongs to the protocol, and so into the header (§3.5.1); `xoauth_displayname` does not.
  var isProtocol: Bool { name.utf8.starts(with: "oauth_".utf8) }

  /// Whether every signed request sets this parameter itself (§3.1), so that no other source may.
  package var isCredential: Bool {
    [
      "oauth_consumer_key", "oauth_token", "oauth_signature_method", "oauth_version", "oauth_body_hash", "oauth_nonce", "oauth_timestamp",
      "oauth_signature",
    ].contains(name)
  }
}

/// The `OAuth` challenge of a `WWW-Authenticate` header (RFC 5849 §3.5.1).
package enum OAuth1Challenge {
  /// Returns the challenge's parameters, percent-decoded except for the realm; empty if the header has no such challenge.
  package static func parameters(_ header: String) -> [OAuth1Parameter] {
    HTTPChallenge.parameters(header, scheme: "oauth").map { name, value in
      if name == "realm" { return OAuth1Parameter(name, String(decoding: value, as: UTF8.self)) }
      return OAuth1Parameter(name, PercentEncoding.lenientText(value[...], plusIsBlank: false))
    }
  }
}
