#if canImport(Security)
  import Security
#else
  import CKeyring
#endif

/// The user's keyring: the Secret Service through libsecret, or the Keychain on macOS.
/// With libsecret, a call takes at most ten seconds and shows no prompt. On macOS there is no time limit.
package enum Keyring {
  /// What a secret is. Each kind has its own ids.
  package enum Kind: Int32 {
    case storeKey, clientSecret
  }

  package enum Fault: Error, Equatable {
    /// The keyring has no such secret.
    case missing
    /// The user must unlock the keyring first.
    case locked
    /// No keyring can be reached.
    case unavailable(String)
    case failed(String)
  }

  #if canImport(Security)
    private static func query(_ kind: Kind, _ id: String) -> [CFString: Any] {
      let service = kind == .storeKey ? "oauth-stdio" : "oauth-stdio client secret"
      return [kSecClass: kSecClassGenericPassword, kSecAttrService: service as CFString, kSecAttrAccount: id as CFString]
    }

    private static func check(_ status: OSStatus) throws(Fault) {
      switch status {
      case errSecSuccess: return
      case errSecItemNotFound: throw .missing
      case errSecInteractionNotAllowed, errSecAuthFailed: throw .locked
      case errSecNotAvailable: throw .unavailable("the Keychain is not available")
      default: throw .failed("the Keychain answered \(status)")
      }
    }

    package static func find(_ kind: Kind, _ id: String) throws(Fault) -> [UInt8] {
      var found: CFTypeRef?
      try check(
        SecItemCopyMatching(
          query(kind, id).merging([kSecReturnData: true, kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]) { $1 } as CFDictionary,
          &found))
      guard let data = found, CFGetTypeID(data) == CFDataGetTypeID() else { throw .missing }
      let bytes = unsafeDowncast(data, to: CFData.self)
      return Array(UnsafeBufferPointer(start: CFDataGetBytePtr(bytes), count: CFDataGetLength(bytes)))
    }

    package static func store(_ kind: Kind, _ id: String, label: String, _ secret: [UInt8]) throws(Fault) {
      // Adding does not replace.
      SecItemDelete(query(kind, id) as CFDictionary)
      let data = CFDataCreate(nil, secret, secret.count) as Any
      try check(SecItemAdd(query(kind, id).merging([kSecValueData: data, kSecAttrLabel: label as CFString]) { $1 } as CFDictionary, nil))
    }

    package static func remove(_ kind: Kind, _ id: String) throws(Fault) { try check(SecItemDelete(query(kind, id) as CFDictionary)) }
  #else
    /// In milliseconds. An answer takes a few, but a keyring that the session has to start takes longer.
    private static let timeoutMilliseconds: Int32 = 10_000

    private static func check(_ work: (_ reason: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int32) throws(Fault) {
      var reason = [CChar](repeating: 0, count: 200)
      let code = reason.withUnsafeMutableBufferPointer { work($0.baseAddress, $0.count) }
      let text = String(terminated: reason)
      switch code {
      case Int32(CKEYRING_DONE): return
      case Int32(CKEYRING_MISSING): throw .missing
      case Int32(CKEYRING_LOCKED): throw .locked
      case Int32(CKEYRING_UNAVAILABLE): throw .unavailable(text)
      default: throw .failed(text)
      }
    }

    package static func find(_ kind: Kind, _ id: String) throws(Fault) -> [UInt8] {
      var secret = [CChar](repeating: 0, count: Int(CKEYRING_LIMIT) + 1)
      defer { secret.withUnsafeMutableBytes { explicit_bzero($0.baseAddress!, $0.count) } }
      try check { reason, size in
        secret.withUnsafeMutableBufferPointer {
          ckeyring_find(kind.rawValue, id, $0.baseAddress, $0.count, timeoutMilliseconds, reason, size)
        }
      }
      return secret.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    }

    package static func store(_ kind: Kind, _ id: String, label: String, _ secret: [UInt8]) throws(Fault) {
      var text = secret.map(CChar.init(bitPattern:)) + [0]
      defer { text.withUnsafeMutableBytes { explicit_bzero($0.baseAddress!, $0.count) } }
      try check { reason, size in ckeyring_store(kind.rawValue, id, label, text, timeoutMilliseconds, reason, size) }
    }

    package static func remove(_ kind: Kind, _ id: String) throws(Fault) {
      try check { reason, size in ckeyring_remove(kind.rawValue, id, timeoutMilliseconds, reason, size) }
    }
  #endif
}
