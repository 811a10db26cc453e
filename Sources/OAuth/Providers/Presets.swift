import Jansson

/// The providers that are built in: one JSON object each, parsed when it is asked for, so that start-up does not pay for them.
package struct Presets: Sendable {
  private let texts: [(name: String, text: @Sendable () -> [UInt8])]

  package static let builtIn = Presets(texts: [
    ("github", { PackageResources.github_json }),
    ("gitlab", { PackageResources.gitlab_json }),
    ("google", { PackageResources.google_json }),
    ("linkedin", { PackageResources.linkedin_json }),
    ("microsoft", { PackageResources.microsoft_json }),
    ("spark", { PackageResources.spark_json }),
    ("spark-oidc", { PackageResources.spark_oidc_json }),
    ("spark-openid", { PackageResources.spark_openid_json }),
    ("steam", { PackageResources.steam_json }),
  ])

  package var names: [String] { texts.map(\.name) }

  /// nil where there is no preset of that name.
  package func description(of name: String) throws(OAuthFailure) -> [JSON.Member]? {
    guard let text = texts.first(where: { $0.name == name })?.text() else { return nil }
    do {
      return try JSON.parse(text).members
    } catch {
      throw OAuthFailure(.configurationInvalid, "the preset \(name) is no json", details: [.init("path", .string("/\(name)"))])
    }
  }

  /// The provider that `reference` means, with its preset underneath and its {names} filled in.
  ///
  /// `variables` win over those of the description and of the preset.
  package func resolve(_ reference: ProviderReference, variables: NamedValues<String> = .init()) throws(OAuthFailure) -> Provider {
    let given =
      variables.pairs.isEmpty ? [] : [JSON.Member("variables", .object(variables.pairs.map { .init($0.name, .string($0.value)) }))]
    switch reference {
    case .preset(let name): return try provider(named: name, overridden: given)
    case .url: throw .unsupported("discovery of a provider from its url is not supported; describe it by its endpoints")
    case .description(let members):
      let all = Self.merge(given, over: members)
      guard case .string(let preset)? = JSON.object(members)["preset"] else { return try decode(all, name: nil) }
      return try provider(named: preset, overridden: all)
    }
  }

  private func provider(named name: String, overridden members: [JSON.Member]) throws(OAuthFailure) -> Provider {
    guard let base = try description(of: name) else {
      throw OAuthFailure(
        .configurationInvalid, "there is no provider preset of that name",
        details: [.init("path", "/provider"), .init("known", .array(names.map { .string($0) }))])
    }
    var provider = try decode(Self.merge(members, over: base), name: name)
    provider.preset = name
    return provider
  }

  private func decode(_ members: [JSON.Member], name: String?) throws(OAuthFailure) -> Provider {
    let description = JSON.object(PresetVariables(members).filled(members))
    do {
      var provider = try Provider.decode(description, at: "/provider")
      try provider.refuseUnfilled()
      provider.source = description
      provider.defaultAccount = name ?? Self.host(of: provider) ?? "provider"
      if provider.name.isEmpty { provider.name = provider.defaultAccount }
      return provider
    } catch {
      throw OAuthFailure(.configurationInvalid, error.message, details: [.init("path", .string(error.path))])
    }
  }

  private static func host(of provider: Provider) -> String? {
    for endpoint in [provider.issuer, provider.authorizationEndpoint, provider.tokenEndpoint, provider.openid.openidEndpoint] {
      if let endpoint, let url = try? URLParts(endpoint) { return url.host }
    }
    if let identifier = provider.openid.openidIdentifier, let known = try? OpenIDIdentifier(identifier) { return known.url.host }
    return nil
  }

  /// Members of `upper` win; objects inside are merged the same way, so that one parameter can be changed without repeating the others.
  static func merge(_ upper: [JSON.Member], over base: [JSON.Member]) -> [JSON.Member] {
    var merged = base
    for member in upper {
      guard let index = merged.firstIndex(where: { $0.name == member.name }) else {
        merged.append(member)
        continue
      }
      if case .object(let inner) = member.value, case .object(let below) = merged[index].value {
        merged[index].value = .object(merge(inner, over: below))
      } else {
        merged[index].value = member.value
      }
    }
    return merged
  }
}
