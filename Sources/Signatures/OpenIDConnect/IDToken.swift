import Jansson
import OAuthCore

/// The claims of an ID token: the user, the issuer and the client (OpenID Connect Core, 2). They are untrusted until `IDTokenCheck` has passed them.
package struct IDToken: Sendable, Equatable {
  package let issuer: String
  /// The user's identifier, which the issuer never gives to another user.
  package let subject: String
  package let audiences: [String]
  package let authorizedParty: String?
  /// Unix seconds, like `issuedAt` and `notBefore`.
  package let expiresAt: Int
  package let issuedAt: Int
  package let notBefore: Int?
  package let nonce: Secret?
  package let accessTokenHash: String?
  /// Microsoft's claim `tid`.
  package let tenant: String?
  package let email: String?

  /// Reads the claims of a token's payload. A missing or invalid claim throws `untrusted`; the error names the claim without its value.
  package init(claims payload: [UInt8]) throws(OAuthFailure) {
    let claims = try Claims(payload)
    issuer = try claims.required("iss")
    subject = try claims.required("sub")
    // Core, 2: "MUST NOT exceed 255 ASCII characters in length". Control characters are rejected, too.
    guard !subject.isEmpty, subject.utf8.count <= 255, subject.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw Claims.wrong("sub")
    }
    audiences = try claims.audiences()
    authorizedParty = try claims.text("azp")
    expiresAt = try claims.requiredInstant("exp")
    issuedAt = try claims.requiredInstant("iat")
    notBefore = try claims.instant("nbf")
    nonce = try claims.text("nonce").map(Secret.init)
    accessTokenHash = try claims.text("at_hash")
    tenant = try claims.text("tid")
    // The email is only shown, never compared. An invalid one is dropped and does not fail the sign-in.
    email = claims.shownText("email")
  }
}

extension IDToken {
  /// Reads a payload's claims by type (RFC 7519, 4).
  private struct Claims {
    private let members: JSON

    init(_ payload: [UInt8]) throws(OAuthFailure) {
      do throws(JSONFault) {
        members = try JSON.parseRounding(payload)
      } catch {
        if case .duplicateMember = error { throw .untrusted("the ID token names a claim twice") }
        throw .untrusted("the ID token's claims are not valid JSON")
      }
      guard case .object = members else { throw .untrusted("the ID token's claims are not an object") }
    }

    static func wrong(_ name: String) -> OAuthFailure { .untrusted("the ID token's claim \(name) has an impossible value") }

    /// Returns a claim; nil if it is missing or `null`.
    private subscript(_ name: String) -> JSON? { members[name].flatMap { $0 == .null ? nil : $0 } }

    func text(_ name: String) throws(OAuthFailure) -> String? {
      guard let json = self[name] else { return nil }
      // Some servers write the user's number as a number.
      guard let text = json.string ?? (name == "sub" ? json.integer.map(String.init) : nil) else { throw Self.wrong(name) }
      return text
    }

    func required(_ name: String) throws(OAuthFailure) -> String {
      guard let text = try text(name) else { throw .untrusted("the ID token has no claim \(name)") }
      return text
    }

    func shownText(_ name: String) -> String? {
      guard let text = self[name]?.string, !text.isEmpty, text.utf8.count <= 320 else { return nil }
      return text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } ? nil : text
    }

    /// Returns a number of seconds, without its fraction (RFC 7519, 2). Rejects one beyond the year 9999, which is probably in another unit.
    func instant(_ name: String) throws(OAuthFailure) -> Int? {
      switch self[name] {
      case nil: return nil
      case .integer(let seconds)? where UnixSeconds.instants.contains(seconds): return seconds
      case .real(let seconds)? where seconds >= 0 && seconds < 253_402_300_800: return Int(seconds)
      default: throw Self.wrong(name)
      }
    }

    func requiredInstant(_ name: String) throws(OAuthFailure) -> Int {
      guard let instant = try instant(name) else { throw .untrusted("the ID token has no claim \(name)") }
      return instant
    }

    /// Returns one string, or an array that holds only strings (RFC 7519, 4.1.3).
    func audiences() throws(OAuthFailure) -> [String] {
      switch self["aud"] {
      case nil: throw .untrusted("the ID token has no claim aud")
      case .string(let audience)?: return [audience]
      case .array(let elements)?:
        let audiences = elements.compactMap(\.string)
        guard audiences.count == elements.count, !audiences.isEmpty else { throw Self.wrong("aud") }
        return audiences
      default: throw Self.wrong("aud")
      }
    }
  }
}
