import Crypto
import Jansson
import OAuthCore

extension ProviderCatalog {
  /// What a reference says about a provider, with its preset merged in and its {names} filled in. What the server publishes is still missing.
  package struct Written {
    var members: [JSON.Member]
    /// The preset or file that the description starts from.
    var preset: String?
    /// The reference to store, which is resolved again when the preset changes. Omits the private key, which is stored with the description.
    var reference: JSON

    /// The URL to discover first; nil if the description is complete.
    package var discovery: String? { JSON.object(members)["discovery"]?.string }

    /// The account's name if the caller gives none.
    var account: String { preset ?? discovery.flatMap { try? URLParts($0) }.map(ProviderCatalog.account(named:)) ?? host ?? "provider" }

    private var host: String? {
      let own = JSON.object(members)
      let names = ["issuer", "authorizationEndpoint", "tokenEndpoint", "openidEndpoint", "apiBase"]
      return names.lazy.compactMap { own[$0]?.string.flatMap { try? URLParts($0).host } }.first
    }
  }

  /// Reads the reference. `variables` win over those of the description and the preset.
  package func written(_ reference: ProviderReference, _ variables: NamedValues<String> = .init()) throws(OAuthFailure) -> Written {
    let given = Self.members(variables)
    let members: [JSON.Member]
    switch reference {
    case .preset: members = given
    case .url(let url): members = given + [.init("discovery", .string(url))]
    case .description(let own): members = Self.merge(given, over: own)
    }
    let preset = reference.presetName
    var base: [JSON.Member] = []
    if let preset { base = try self.base(preset) }
    // A complete description may have any variables. One that starts from a preset may set only the preset's names.
    var described = base
    if preset == nil, case .description(let own) = reference { described = own }
    let values = PresetVariables(try Self.override(base, with: members))
    do throws(PresetVariables.Fault) {
      try values.check(own: (JSON.object(described)["variables"]?.members ?? []).map(\.name))
    } catch {
      let path = ObjectReader.pointer(to: error.name, in: variables[error.name] == nil ? "/provider/variables" : "/variables")
      var failure = OAuthFailure.misconfigured(FieldError(path, error.problem))
      if let known = error.known { failure.details.append(.init("known", .array(known.map { .string($0) }))) }
      throw failure
    }
    // The grant stores the preset's name, to find the provider again.
    let named = preset.map { [JSON.Member("preset", .string($0))] } ?? []
    return Written(
      members: Self.merge(named, over: values.filled).map(Self.naming), preset: preset, reference: Self.stored(reference, variables))
  }

  /// Returns the provider for `reference`. `stored` is the grant's copy of the publication.
  package func resolve(
    _ reference: ProviderReference, variables: NamedValues<String> = .init(), stored: Publication? = nil
  ) throws(OAuthFailure) -> Provider {
    try resolve(try written(reference, variables), stored: stored)
  }

  func resolve(_ written: Written, stored: Publication?) throws(OAuthFailure) -> Provider {
    let (members, publication, limit) = try published(written, stored: stored)
    var provider = try decode(members, written)
    try checkIssuer(of: provider, preset: written.preset, published: publication.map { .object($0) })
    try checkChallenge(of: provider, written)
    provider.published = provider.discovery.flatMap(fetched)?.description == publication ? publication : nil
    provider.publishedLimit = limit
    provider.preset = written.preset ?? provider.preset
    if written.preset != nil || provider.discovery != nil { provider.reference = written.reference }
    return provider
  }

  /// Returns the description with what its server published, over which its own members win.
  ///
  /// `stored` is the grant's copy of the publication. A copy fetched by this process wins over it, unless the resource lists both servers.
  private func published(
    _ written: Written, stored: Publication?
  ) throws(OAuthFailure) -> (members: [JSON.Member], publication: [JSON.Member]?, limit: PublishedLimit?) {
    guard let url = written.discovery else { return (written.members, nil, nil) }
    let own = stored?.url == url ? stored : nil
    guard let found = own.flatMap(stillNamed) ?? fetched(url) ?? own else {
      throw .unsupported("the process has not fetched the provider's metadata; describe the provider by its endpoints")
    }
    let named = try Self.confirmed(written.members, by: .object(found.description))
    let members = try Self.override(Self.published(found.description, for: named), with: named)
    return (members, found.description, PublishedLimit(found, beside: written.members))
  }

  /// Returns the members without the issuer that an API names as well, maybe with another last slash. Rejects another one: it would get the client's
  /// secret because the API says so. An API may also publish itself as a server, so a named issuer at another origin is rejected there, too.
  private static func confirmed(_ members: [JSON.Member], by published: JSON) throws(OAuthFailure) -> [JSON.Member] {
    let own = JSON.object(members)
    let server = published["issuer"]?.string ?? published["tokenEndpoint"]?.string.map(Provider.origin)
    guard own["tokenEndpoint"] == nil else { return members }
    if published["apiBase"] == nil,
      own["issuer"]?.string.map(Provider.origin) == nil || own["issuer"]?.string.map(Provider.origin) == server.map(Provider.origin)
    {
      return members
    }
    guard let change = IssuerChange(from: own["issuer"]?.string, to: server) else { return members.filter { $0.name != "issuer" } }
    throw .untrusted(
      "the server names the authorization server \(change.current), and not \(change.previous): if it may have the client's secret, "
        + "name it as the provider's issuer, or with mcp by --provider \(change.current)")
  }

  /// Returns the published members. Drops a resource that equals the issuer if `members` name an API elsewhere, where its tokens do not work,
  /// and the aliases of endpoints that `members` name.
  private static func published(_ found: [JSON.Member], for members: [JSON.Member]) -> [JSON.Member] {
    let own = JSON.object(members)
    let found = found.map { member in
      member.name != "mtlsEndpoints" ? member : .init(member.name, .object((member.value.members ?? []).filter { own[$0.name] == nil }))
    }
    let published = JSON.object(found)
    guard let resource = published["authorizationParameters"]?["resource"]?.string, resource == published["issuer"]?.string,
      let base = own["apiBase"]?.string, !base.hasPrefix(resource)
    else { return found }
    return found.filter { !["authorizationParameters", "apiHosts"].contains($0.name) }
  }

  /// Returns the publication that this process fetched from the URL.
  func fetched(_ url: String) -> Publication? { discoveries?.publication(at: url) }

  /// Returns the origins that `reference` names, and those that its server published to this process.
  func origins(namedBy reference: ProviderReference, _ variables: NamedValues<String>) throws(OAuthFailure) -> Set<String> {
    let written = try written(reference, variables)
    guard let url = written.discovery else { return try decode(written.members, written).origins }
    let members = try Self.override(fetched(url)?.description ?? [], with: written.members)
    return try decode(members, written).origins.union([Provider.origin(url)])
  }

  /// Returns the `variables` that the provider does not have. Other errors are reported when the provider is resolved.
  func unknownNames(of variables: NamedValues<String>, for reference: ProviderReference) -> [String] {
    var remaining = variables
    var unknown: [String] = []
    while true {
      do throws(OAuthFailure) {
        _ = try written(reference, remaining)
        return unknown
      } catch {
        let found = remaining.pairs.map(\.name).first { error["path"] == .string(ObjectReader.pointer(to: $0, in: "/variables")) }
        guard error["known"] != nil, let found else { return unknown }
        remaining.pairs.removeAll { $0.name == found }
        unknown.append(found)
      }
    }
  }

  private func base(_ name: String) throws(OAuthFailure) -> [JSON.Member] {
    if let base = try description(of: name) { return base }
    throw OAuthFailure(
      .configurationInvalid, "there is no provider \(Self.shown(name))\(Suggestion.question(name, among: allNames))",
      details: [.init("path", "/provider"), .init("known", .array(allNames.map { .string($0) }))])
  }

  /// Rejects an issuer with `{tenantid}` unless it is from a preset, a provider file, or the server that an API's metadata names. Otherwise a server
  /// or a client could let a claim decide which issuer is trusted.
  private func checkIssuer(of provider: Provider, preset: String?, published: JSON?) throws(OAuthFailure) {
    guard let issuer = provider.issuer, IssuerTemplate(issuer).isForTenants else { return }
    // An API may leave it to its server which tenants it accepts. The server's own address is then the beginning of each issuer.
    if let published, published["issuer"]?.string == issuer, published["authorizationParameters"]?["resource"] != nil { return }
    if let preset, let base = try description(of: preset) {
      let values = Self.merge([.init("variables", provider.variables.json)], over: base)
      if JSON.object(PresetVariables(values).filled)["issuer"]?.string == issuer { return }
    }
    throw .misconfigured(
      "/provider/issuer",
      "/provider/issuer has \(IssuerTemplate.tenantName) in it, which only a preset or a provider file may have: "
        + "name a preset such as microsoft, or write the issuer into a provider file")
  }

  /// Rejects an MCP server's authorization server that is not said to support S256 (MCP 2025-11-25), unless the description says so.
  private func checkChallenge(of provider: Provider, _ written: Written) throws(OAuthFailure) {
    guard let url = written.discovery, discoveries?.sources(of: url)?.lacksS256 == true, written.preset == nil,
      JSON.object(written.members)["pkce"] == nil
    else { return }
    throw .unsupported(
      "\(provider.shownIssuer ?? url) does not list the code challenge method S256, which MCP requires; if it supports S256, "
        + "describe the provider with the discovery \(url) and pkce \"S256\"")
  }

  static func stored(_ reference: ProviderReference, _ variables: NamedValues<String>) -> JSON {
    switch reference {
    case .preset(let name) where variables.pairs.isEmpty: .string(name)
    case .preset(let name): .object([.init("preset", .string(name))] + members(variables))
    case .description(let own): .object(merge(members(variables), over: own).filter { $0.name != "privateKey" })
    case .url(let url): .string(url)
    }
  }

  private static func members(_ variables: NamedValues<String>) -> [JSON.Member] {
    variables.pairs.isEmpty ? [] : [.init("variables", variables.json)]
  }

  private func decode(_ members: [JSON.Member], _ written: Written) throws(OAuthFailure) -> Provider {
    let description = JSON.object(members)
    var provider: Provider
    let unfilled: Provider.Unfilled?
    do throws(FieldError) {
      provider = try Provider.decode(description, at: "/provider")
      unfilled = try provider.unfilled()
    } catch {
      throw OAuthFailure.misconfigured(error)
    }
    if let unfilled {
      // A client can ask its user for all of them.
      let missing = JSON.Member("missing", .array(unfilled.names.map { .string($0) }))
      throw OAuthFailure(.configurationInvalid, unfilled.message, details: [.init("path", .string(unfilled.path)), missing])
    }
    // Grants store the description, and not where its values are from.
    provider.source = .object(members.filter { $0.name != "sources" })
    provider.defaultAccount = written.account
    if provider.name.isEmpty { provider.name = written.preset ?? Self.issuerName(of: provider) ?? provider.defaultAccount }
    return provider
  }

  /// Returns the issuer without its scheme. It includes the path, since one host may have several issuers.
  private static func issuerName(of provider: Provider) -> String? { provider.issuer.flatMap { try? URLParts($0) }.map(account(named:)) }

  /// Returns the account name for a request that names only a URL. It includes the path, since a host may have several resources.
  package static func account(named url: URLParts) -> String {
    let path = url.path.utf8.last == UInt8(ascii: "/") ? String(url.path.dropLast()) : url.path
    let name = url.hostAndPort + path
    // An account name has at most 200 bytes, and a hash of the query may follow.
    return name.utf8.count <= 190 ? name : "\(url.hostAndPort)/\(Hexadecimal.encode(Array(SHA256.hash(data: Array(path.utf8)))).prefix(8))"
  }

  /// Replaces a pasted metadata URL in `discovery` by its issuer or resource.
  private static func naming(_ member: JSON.Member) -> JSON.Member {
    guard member.name == "discovery", let text = member.value.string,
      let subject = (try? URLParts(text)).flatMap(MetadataDocument.WellKnown.subject)
    else { return member }
    return .init(member.name, .string(subject.description))
  }
}
