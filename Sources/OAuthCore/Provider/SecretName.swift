import Jansson

/// Decides by name which values in a description are secrets. They are sent but never shown.
package enum SecretName {
  package static let mark = "…"

  /// Checks a header's name, in any case.
  package static func isHeader(_ name: String) -> Bool {
    let name = name.lowercased()
    return name == "cookie" || name == "dpop" || ["auth", "key", "token", "secret", "password"].contains { name.contains($0) }
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

extension Provider {
  /// Returns whether this provider sends secrets only to origins of `other`, so that a client of `other` is as safe here.
  package func sendsSecretsNowhereElse(than other: Provider) -> Bool { sendsSecrets(onlyTo: other.origins) }

  /// Returns whether this provider sends the client's secret only to these origins.
  package func sendsSecrets(onlyTo origins: Set<String>) -> Bool { self.origins.isSubset(of: origins) }

  /// Returns whether this provider sends access tokens only to hosts and endpoints that `other` names as well.
  package func sendsTokensNowhereElse(than other: Provider) -> Bool {
    let allowed = AllowedHosts(other).names
    return AllowedHosts(self).names.allSatisfy(allowed.contains) && (userInfoEndpoint == nil || userInfoEndpoint == other.userInfoEndpoint)
      && (afterSignIn == nil || afterSignIn?.url == other.afterSignIn?.url)
  }

  /// The endpoints that receive a client secret or a refresh token.
  private var secretEndpoints: [(member: String, url: String)] {
    Endpoint.all.filter(\.getsSecrets).compactMap { endpoint in self[keyPath: endpoint.place].map { (endpoint.member, $0) } }
      + mtlsEndpoints.pairs.map { ("mtlsEndpoints", $0.value) }
  }

  package var origins: Set<String> {
    let endpoints = secretEndpoints.map(\.url)
    let origins = Set(endpoints.map(Self.origin))
    // If the redirect can change an endpoint's host, these are the hosts that it may name.
    let isOpen = endpoints.contains { $0.utf8.contains(UInt8(ascii: "{")) }
    return isOpen ? origins.union((api.endpointHosts + (api.apiHosts ?? [])).map { "{} " + $0.lowercased() }) : origins
  }

  /// Returns the origin, or the text itself if it is not yet a URL.
  package static func origin(_ endpoint: String) -> String { (try? URLParts(endpoint).origin) ?? endpoint }

  /// The origin that issues tokens, which identifies the provider.
  private var home: String? { (tokenEndpoint ?? oauth1.accessTokenEndpoint ?? openid.openidEndpoint).map(Self.origin) }

  /// Returns the members that send secrets to an origin unknown to `other`; nil if this is a different provider.
  package func leakingMembers(beside other: Provider) -> [String]? {
    guard protocolName == other.protocolName, let home, home == other.home else { return nil }
    let allowed = other.origins
    return secretEndpoints.filter { !allowed.contains(Self.origin($0.url)) }.map(\.member)
  }

  /// Whether a grant of one provider is also a grant of the other.
  package func isSame(as other: Provider) -> Bool {
    protocolName == other.protocolName && authorizationEndpoint == other.authorizationEndpoint
      && tokenEndpoint == other.tokenEndpoint && oauth1.accessTokenEndpoint == other.oauth1.accessTokenEndpoint
      // A token for one resource is invalid for another resource of the same server (RFC 8707).
      && request.authorizationParameters["resource"] == other.request.authorizationParameters["resource"]
      && openid.openidEndpoint == other.openid.openidEndpoint
  }

  /// Decides whether tokens are bound to a key, whatever the description says.
  package mutating func bindTokens(_ dpop: Bool) {
    token.dpop = dpop
    source = .object((source.members ?? []).filter { $0.name != "dpop" } + [.init("dpop", .bool(dpop))])
  }

  /// Uses the client's RSA key, unless the reference is a description with its own key.
  package mutating func use(privateKey key: Secret, unlessIn reference: ProviderReference) {
    switch reference {
    case .url: return
    case .description(let members) where members.contains { $0.name == "privateKey" }: return
    case .preset, .description: break
    }
    oauth1.privateKey = key
    source = .object((source.members ?? []).filter { $0.name != "privateKey" } + [.init("privateKey", .string(key.value))])
  }
}
