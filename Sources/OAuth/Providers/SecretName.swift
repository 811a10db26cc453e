import Jansson

/// Which values that somebody wrote into a description are secrets, by what they are called; they are sent and never shown.
enum SecretName {
  static let mark = "…"

  /// A header's name, in any case.
  static func isHeader(_ name: String) -> Bool {
    let name = name.lowercased()
    if ["authorization", "proxy-authorization", "cookie"].contains(name) { return true }
    return ["key", "token", "secret", "password"].contains { name.contains($0) }
  }

  /// The name of a parameter or a variable. The words stand in the names of what is no secret as well (`token_access_type`), so these two have to end it.
  static func isParameter(_ name: String) -> Bool {
    let name = name.lowercased()
    if ["secret", "password", "passphrase", "assertion", "id_token_hint"].contains(where: { name.contains($0) }) { return true }
    return name.hasSuffix("token") || name.hasSuffix("key")
  }

  /// How the names in a member of the description are judged; nil where it holds nothing that is sent.
  static func judge(of member: String) -> ((String) -> Bool)? {
    if member.hasSuffix("Headers") { return { isHeader($0) } }
    guard member.hasSuffix("Parameters") || member == "variables" else { return nil }
    return { isParameter($0) }
  }

  /// A text without the user name and the password of the URLs in it (RFC 3986, 3.2.1).
  static func withoutUserInfo(_ text: String) -> String {
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

extension Provider {
  /// The values of the secrets that its description holds.
  var writtenSecrets: [Secret] {
    var secrets: [Secret] = []
    for member in source.members ?? [] {
      guard let isSecret = SecretName.judge(of: member.name) else { continue }
      for inner in member.value.members ?? [] where isSecret(inner.name) {
        guard let text = inner.value.string else { continue }
        // Behind a scheme stands the credential itself, which a server may quote alone.
        secrets += [text, text.split(separator: " ").last.map(String.init)].compactMap(\.self).map(Secret.init)
      }
    }
    return secrets
  }
}

extension JSON {
  /// A member of a provider's description as it may be shown; `path` is its name, with a dot before that of a part.
  func shown(at path: String) -> JSON {
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

  /// Whether this is a {name} alone, whose value stands elsewhere.
  private var isPlace: Bool {
    guard let text = string, text.hasPrefix("{"), text.hasSuffix("}") else { return false }
    return !text.dropFirst().dropLast().contains { "{}".contains($0) }
  }
}
