import Jansson

extension Presets {
  /// What `reference` means, as JSON: what it says, over what its server published where it names a URL.
  ///
  /// `kept` is what a grant knows of that URL; what this process fetched comes before it.
  func description(
    _ reference: ProviderReference, _ variables: NamedValues<String> = .init(), kept: Publication? = nil
  ) throws(OAuthFailure) -> (filled: [JSON.Member], preset: String?, limit: PublishedLimit?) {
    let written = try written(reference, variables)
    guard let url = Self.discovery(in: written.filled) else { return (written.filled, written.preset, nil) }
    guard let found = fetched(url) ?? (kept?.url == url ? kept : nil) else {
      throw .unsupported("what is published about the provider has not been looked at; describe the provider by its endpoints")
    }
    let members = try Self.override(Self.published(found.description, for: written.filled), with: written.filled)
    return (members, written.preset, PublishedLimit(found, beside: written.filled))
  }

  /// What was published, without the resource where the issuer publishes itself as one and `members` put the API elsewhere: tokens for the issuer alone
  /// are of no use there.
  private static func published(_ found: [JSON.Member], for members: [JSON.Member]) -> [JSON.Member] {
    let (published, own) = (JSON.object(found), JSON.object(members))
    guard let resource = published["authorizationParameters"]?["resource"]?.string, resource == published["issuer"]?.string,
      let base = own["apiBase"]?.string, !base.hasPrefix(resource)
    else { return found }
    return found.filter { !["authorizationParameters", "apiHosts"].contains($0.name) }
  }

  /// What this process fetched from the URL.
  func fetched(_ url: String) -> Publication? { discoveries?.publication(at: url) }

  /// The origins that `reference` vouches for: those that it names, and those that its server published to this process.
  package func origins(namedBy reference: ProviderReference, _ variables: NamedValues<String>) throws(OAuthFailure) -> Set<String> {
    let written = try written(reference, variables)
    guard let url = Self.discovery(in: written.filled) else { return try decode(written.filled, name: written.preset).origins }
    let members = try Self.override(fetched(url)?.description ?? [], with: written.filled)
    return try decode(members, name: written.preset).origins.union([Provider.origin(url)])
  }

  /// Refuses an issuer of many tenants that neither a preset nor a provider file of the user's names: a server or a client on the pipe could otherwise
  /// have a claim decide which issuer is believed.
  func checkIssuer(of provider: Provider, preset: String?) throws(OAuthFailure) {
    guard let issuer = provider.issuer, IssuerTemplate(issuer).isForTenants else { return }
    if let preset, let base = try description(of: preset) {
      let values = Self.merge([.init("variables", provider.variables.json)], over: base)
      if JSON.object(PresetVariables(values).filled)["issuer"]?.string == issuer { return }
    }
    throw OAuthFailure(
      .configurationInvalid,
      "/provider/issuer has \(IssuerTemplate.tenantName) in it, which only a preset or a provider file may have: "
        + "name a preset such as microsoft, or write the issuer into a provider file",
      details: [.init("path", "/provider/issuer")])
  }

  /// The URL that has to be looked behind first; nil where everything is said.
  func discovery(of reference: ProviderReference, _ variables: NamedValues<String>) throws(OAuthFailure) -> String? {
    Self.discovery(in: try written(reference, variables).filled)
  }

  /// The account of whoever names the URL and no account: one host may have several resources, each with tokens of its own.
  static func account(named url: URLParts) -> String {
    let path = url.path.utf8.last == UInt8(ascii: "/") ? String(url.path.dropLast()) : url.path
    let name = url.host + (url.explicitPort.map { ":\($0)" } ?? "") + path
    // Longer ones are no names of accounts.
    return name.utf8.count <= 200 ? name : url.host
  }

  /// The member with the issuer or the resource itself, if the user pasted the URL of its metadata.
  static func naming(_ member: JSON.Member) -> JSON.Member {
    guard member.name == "discovery", let text = member.value.string, let subject = (try? URLParts(text)).flatMap(WellKnown.subject) else {
      return member
    }
    return .init(member.name, .string(subject.description))
  }

  private static func discovery(in members: [JSON.Member]) -> String? { JSON.object(members)["discovery"]?.string }
}
