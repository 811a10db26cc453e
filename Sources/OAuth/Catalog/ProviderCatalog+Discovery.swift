import Jansson
import OAuthCore

extension ProviderCatalog {
  /// Returns the JSON description for `reference`. If it names a URL, its own members win over those that the server published.
  ///
  /// `kept` is the stored grant's copy of the publication. A copy fetched by this process wins over it.
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

  /// Returns the published members. Drops the resource if it equals the issuer and `members` name an API elsewhere, since tokens for the issuer
  /// do not work there.
  private static func published(_ found: [JSON.Member], for members: [JSON.Member]) -> [JSON.Member] {
    let (published, own) = (JSON.object(found), JSON.object(members))
    guard let resource = published["authorizationParameters"]?["resource"]?.string, resource == published["issuer"]?.string,
      let base = own["apiBase"]?.string, !base.hasPrefix(resource)
    else { return found }
    return found.filter { !["authorizationParameters", "apiHosts"].contains($0.name) }
  }

  /// Returns the publication that this process fetched from the URL.
  func fetched(_ url: String) -> Publication? { discoveries?.publication(at: url) }

  /// Returns the origins that `reference` names, and those that its server published to this process.
  package func origins(namedBy reference: ProviderReference, _ variables: NamedValues<String>) throws(OAuthFailure) -> Set<String> {
    let written = try written(reference, variables)
    guard let url = Self.discovery(in: written.filled) else { return try decode(written.filled, name: written.preset).origins }
    let members = try Self.override(fetched(url)?.description ?? [], with: written.filled)
    return try decode(members, name: written.preset).origins.union([Provider.origin(url)])
  }

  /// Rejects an issuer with `{tenantid}` unless it is from a preset or a provider file. Otherwise a server or a client could let a claim decide which
  /// issuer is trusted.
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

  /// Returns the URL to discover first; nil if the description is complete.
  func discovery(of reference: ProviderReference, _ variables: NamedValues<String>) throws(OAuthFailure) -> String? {
    Self.discovery(in: try written(reference, variables).filled)
  }

  /// Returns the account name for a request that names only a URL. It includes the path, since a host may have several resources with separate
  /// tokens.
  static func account(named url: URLParts) -> String {
    let path = url.path.utf8.last == UInt8(ascii: "/") ? String(url.path.dropLast()) : url.path
    let name = url.host + (url.explicitPort.map { ":\($0)" } ?? "") + path
    // An account name has at most 200 bytes.
    return name.utf8.count <= 200 ? name : url.host
  }

  /// Replaces a pasted metadata URL in `discovery` by its issuer or resource.
  static func naming(_ member: JSON.Member) -> JSON.Member {
    guard member.name == "discovery", let text = member.value.string, let subject = (try? URLParts(text)).flatMap(WellKnown.subject) else {
      return member
    }
    return .init(member.name, .string(subject.description))
  }

  private static func discovery(in members: [JSON.Member]) -> String? { JSON.object(members)["discovery"]?.string }
}
