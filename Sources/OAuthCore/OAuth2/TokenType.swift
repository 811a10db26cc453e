import Jansson

/// The type of a token: the scheme with which a request carries it (RFC 6749, 7.1).
extension TokenRequest.Response {
  /// Types of tokens that need a proof of a key (RFC 6749, 7.1; RFC 9449, 7.1; the draft of MAC tokens).
  private static let proven: Set = ["dpop", "mac", "pop"]

  /// Returns the type for a header. Rejects another one than was asked for (RFC 9449, 5): a stolen token without the binding could be used.
  static func usable(_ type: String, isProven: Bool) throws(OAuthFailure) -> String {
    let isBound = type.lowercased() == "dpop"
    if isProven {
      guard isBound else {
        throw .untrusted(
          "the provider issued a token of the type \(type) and not DPoP: it is not bound to the key, so it is not used. "
            + "A sign-in with dpop false accepts it")
      }
      return "DPoP"
    }
    guard !proven.contains(type.lowercased()) else {
      let advice = isBound ? "; set dpop to true, so that tokens are bound to a key here" : ""
      throw .unsupported("the provider issued a token of the type \(type), which is not supported without a key\(advice)")
    }
    return type
  }

  /// Returns the scheme for a token whose `token_type` is `told`; nil if it is invalid. It becomes part of a header (RFC 9110, 11.4),
  /// where a space or a line end would change what is sent.
  package static func scheme(_ told: String?, _ options: TokenResponseOptions) -> String? {
    var type = options.tokenType ?? told ?? ""
    if type.isEmpty { type = options.tokenTypeDefault }
    guard type.utf8.count <= 64, type.utf8.allSatisfy({ isASCIILetterOrDigit($0) || "-._~+".utf8.contains($0) }) else { return nil }
    return type.lowercased() == "bearer" ? "Bearer" : type
  }
}

extension HTTPResponse {
  /// Whether the service says that the token itself is invalid, not the request (RFC 6750, 3.1).
  package var saysInvalidToken: Bool {
    headers.contains { header in
      guard header.isNamed("www-authenticate") else { return false }
      let challenge = header.value.lowercased().filter { $0 != "\"" && $0 != " " }
      return challenge.contains("error=invalid_token")
    }
  }

  /// Whether the server rejects the request for its proof of a key (RFC 9449, 5, 7.1 and 8). Some use an error for everything, and say it in its text.
  package var rejectsProof: Bool {
    guard [400, 401].contains(status) else { return false }
    let challenges = headers.filter { $0.isNamed("www-authenticate") }.map(\.value)
    let said = (challenges + [String(decoding: body.prefix(4096), as: UTF8.self)]).joined(separator: "\n").lowercased()
    return ["use_dpop_nonce", "invalid_dpop_proof", "dpop proof"].contains { said.contains($0) }
  }
}
