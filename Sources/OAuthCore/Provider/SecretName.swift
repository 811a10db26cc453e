import Jansson

/// Decides by name which values in a description are secrets. They are sent but never shown.
package enum SecretName {
  package static let mark = "…"

  /// Checks a header's name, in any case.
  package static func isHeader(_ name: String) -> Bool {
    let name = name.lowercased()
    return name == "cookie" || ["auth", "key", "token", "secret", "password"].contains { name.contains($0) }
  }

  /// Checks the name of a parameter or variable. `token` and `key` count only at the end, since other names contain them, too (`token_access_type`).
  package static func isParameter(_ name: String) -> Bool {
    let name = name.lowercased()
    if ["secret", "password", "passphrase", "assertion", "id_token_hint"].contains(where: { name.contains($0) }) { return true }
    return name.hasSuffix("token") || name.hasSuffix("key")
  }

  /// Returns the check for the names in a member of the description; nil if the member holds no secrets.
  static func judge(of member: String) -> ((String) -> Bool)? {
    if member.hasSuffix("Headers") { return { isHeader($0) } }
    guard member.hasSuffix("Parameters") || member == "variables" else { return nil }
    return { isParameter($0) }
  }

  /// Returns the text without user names and passwords in its URLs (RFC 3986, 3.2.1).
  package static func withoutUserInfo(_ text: String) -> String {
    let parts = text.split(separator: "://", omittingEmptySubsequences: false)
    guard parts.count > 1, text.utf8.contains(UInt8(ascii: "@")) else { return text }
    let masked = parts.dropFirst().map { part -> String in
      let authority = part.prefix { !"/?# \t\"'<>".contains($0) }
      guard let at = authority.lastIndex(of: "@") else { return String(part) }
      return mark + part[at...]
    }
    return ([String(parts[0])] + masked).joined(separator: "://")
  }
}

extension JSON {
  /// The secret values in a provider's description.
  package var writtenSecrets: [Secret] {
    secretPlaces.flatMap { text in
      // After a scheme such as `Basic`, the rest is the credential, which a server may quote alone.
      [text, text.split(separator: " ").last.map(String.init)].compactMap(\.self).map(Secret.init)
    }
  }

  /// The texts of a description's members that hold secrets. A text may be a {name}, whose value is the secret.
  package var secretPlaces: [String] {
    (members ?? []).flatMap { member -> [String] in
      guard let isSecret = SecretName.judge(of: member.name) else { return [] }
      return (member.value.members ?? []).filter { isSecret($0.name) }.compactMap(\.value.string)
    }
  }

  /// Returns a member of a provider's description, safe to show. `path` is its name, or name and part joined by a dot.
  package func shown(at path: String) -> JSON {
    let names = path.split(separator: ".", maxSplits: 1).map(String.init)
    if names.first == "privateKey" { return .string(SecretName.mark) }
    let isSecret = names.first.flatMap(SecretName.judge)
    if names.count > 1, let isSecret, isSecret(names[1]) { return .string(SecretName.mark) }
    return masked { isSecret?($0) ?? false }
  }

  private func masked(_ isSecret: (String) -> Bool) -> JSON {
    switch self {
    case .string(let text): .string(SecretName.withoutUserInfo(text))
    case .array(let elements): .array(elements.map { $0.masked(isSecret) })
    case .object(let members):
      .object(
        members.map { member in
          let isHidden = isSecret(member.name) && !member.value.isPlace
          return JSON.Member(member.name, isHidden ? .string(SecretName.mark) : member.value.masked(isSecret))
        })
    default: self
    }
  }

  /// Whether this is only a {name}, whose value is elsewhere.
  private var isPlace: Bool {
    guard let text = string, text.hasPrefix("{"), text.hasSuffix("}") else { return false }
    return !text.dropFirst().dropLast().contains { "{}".contains($0) }
  }
}
