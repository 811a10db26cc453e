import Jansson

/// The claims that a server demands of the next sign-in (OpenID Connect Core, 5.5), as Microsoft Entra does.
package enum DemandedClaims {
  /// In bytes.
  private static let longest = 4096

  /// Returns the claims as the text of a JSON object. A server sends an object, its text, or that text in base64, which a header can always carry.
  /// Returns nil for anything else, for longer claims, and for claims that quote a secret.
  package static func text(_ sent: JSON?, hiding hidden: Redaction) -> String? {
    var claims = sent
    if let text = sent?.string {
      let decoded = (try? Base64.decode(text)) ?? (try? Base64.decodeURL(text))
      claims = try? JSON.parse(decoded ?? Array(text.utf8))
    }
    guard case .object(let members)? = claims, !members.isEmpty else { return nil }
    let text = JSON.object(members).line
    return text.utf8.count <= longest && hidden.hide(in: text) == text ? text : nil
  }
}
