import Crypto

/// A key shared with a provider, by which its answers are proven without asking it again (OpenID Authentication 2.0, section 8).
package struct OpenIDAssociation: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  /// How answers are signed (section 6.2).
  package enum Kind: String, Sendable, CaseIterable {
    case hmacSHA1 = "HMAC-SHA1"
    case hmacSHA256 = "HMAC-SHA256"

    var keyBytes: Int {
      switch self {
      case .hmacSHA1: 20
      case .hmacSHA256: 32
      }
    }
  }

  package let handle: String
  let kind: Kind
  let key: [UInt8]
  /// Unix seconds.
  package let expiresAt: Int

  package init(handle: String, kind: Kind, key: [UInt8], expiresAt: Int) {
    self.handle = handle
    self.kind = kind
    self.key = key
    self.expiresAt = expiresAt
  }

  /// Whether the code is of this text; compared in a time that does not depend on where they differ.
  func isSignature(_ code: [UInt8], of text: [UInt8]) -> Bool {
    let key = SymmetricKey(data: key)
    switch kind {
    case .hmacSHA1: return HMAC<Insecure.SHA1>.isValidAuthenticationCode(code, authenticating: text, using: key)
    case .hmacSHA256: return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: text, using: key)
    }
  }

  package var description: String { "\(kind.rawValue) association" }
  package var customMirror: Mirror { Mirror(self, children: ["kind": kind.rawValue, "expiresAt": expiresAt]) }
}
