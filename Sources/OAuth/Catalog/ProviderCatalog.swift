import Jansson
import OAuthCore

/// The providers known by name: the built-in presets, one JSON object each, and the user's provider files.
///
/// Each is parsed on first use, which keeps start-up fast.
package struct ProviderCatalog: Sendable {
  /// The user's provider files. A file wins over a preset of the same name.
  private(set) var files: ProviderFiles?
  /// The documents discovered at URLs; nil if discovery is off.
  private(set) var discoveries: DiscoveryCache?

  private init() {}

  package static let builtIn = ProviderCatalog()

  /// Returns these presets plus the user's provider files.
  package func adding(_ files: ProviderFiles) -> ProviderCatalog {
    var catalog = self
    catalog.files = files
    return catalog
  }

  /// Returns these presets plus discovered documents.
  package func adding(_ discoveries: DiscoveryCache) -> ProviderCatalog {
    var catalog = self
    catalog.discoveries = discoveries
    return catalog
  }

  /// The names of the built-in presets.
  package var names: [String] { Preset.all.map(\.name) }

  /// The names of the user's provider files.
  package var ownNames: [String] {
    get throws(OAuthFailure) { try files?.names ?? [] }
  }

  /// All names, including the user's provider files.
  package var allNames: [String] {
    get throws(OAuthFailure) {
      let own = try ownNames
      return own.isEmpty ? names : Set(names).union(own).sorted()
    }
  }

  /// Why the user's provider files cannot be read; nil if they can. Built-in presets stay available.
  package var fault: OAuthFailure? { files?.fault }

  /// Returns the description of this name; nil if there is none. A file replaces the preset of its name, or extends it if its `preset` names it.
  package func description(of name: String) throws(OAuthFailure) -> [JSON.Member]? { try description(of: name, for: []) }

  /// `names` are the files visited so far; they detect files that start from each other.
  private func description(of name: String, for names: [String]) throws(OAuthFailure) -> [JSON.Member]? {
    guard let own = try ownDescription(of: name) else { return try builtIn(name) }
    guard case .string(let preset)? = JSON.object(own)["preset"] else { return own }
    let base: [JSON.Member]?
    if preset == name {
      base = try builtIn(name)
    } else if names.contains(preset) {
      throw Self.fault("the presets \((names + [name]).joined(separator: ", ")) start from each other")
    } else {
      base = try description(of: preset, for: names + [name])
    }
    guard let base else {
      let question = Suggestion.question(preset, among: try allNames.filter { $0 != name })
      throw Self.fault("the provider \(name) starts from the preset \(Self.shown(preset)), which there is none of\(question)")
    }
    return try Self.override(base, with: own)
  }

  private func ownDescription(of name: String) throws(OAuthFailure) -> [JSON.Member]? {
    do {
      return try files?.description(of: name)
    } catch {
      guard let fault else { throw error }
      // An unreadable folder does not affect built-in presets.
      guard names.contains(name) else { throw fault }
      return nil
    }
  }

  private func builtIn(_ name: String) throws(OAuthFailure) -> [JSON.Member]? {
    guard let text = Preset.named(name)?.text else { return nil }
    do {
      return try JSON.parse(text).members
    } catch {
      throw Self.fault("the preset \(name) is no json")
    }
  }

  /// Returns a name from the caller, fit for a message.
  private static func shown(_ name: String) -> String { "\"\(ErrorText.clean(String(name.prefix(60))))\"" }

  private static func fault(_ message: String) -> OAuthFailure {
    OAuthFailure(.configurationInvalid, message, details: [.init("path", "/provider/preset")])
  }

  /// Merges `members` over `base`. Rejects a change of a `pkce` that `base` requires.
  static func override(_ base: [JSON.Member], with members: [JSON.Member]) throws(OAuthFailure) -> [JSON.Member] {
    if JSON.object(base)["pkce"] == "required", let pkce = JSON.object(members)["pkce"], pkce != "required" {
      throw OAuthFailure(
        .configurationInvalid, "/provider/pkce cannot be changed: the provider takes no request without a code challenge",
        details: [.init("path", "/provider/pkce")])
    }
    return merge(allowingOwnBase(members, over: base), over: base)
  }

  /// Returns `members` with the host of their own API base added to `base`'s hosts, unless they name hosts themselves. A moved API base is meant to
  /// be called.
  private static func allowingOwnBase(_ members: [JSON.Member], over base: [JSON.Member]) -> [JSON.Member] {
    let own = JSON.object(members)
    guard case .string(let url)? = own["apiBase"], own["apiHosts"] == nil, let hosts = JSON.object(base)["apiHosts"]?.array else {
      return members
    }
    guard let authority = (try? URLReference(url))?.authority, !authority.isEmpty else { return members }
    // A host from the redirect or the token response is not named by the user, so it is not added.
    let late = (JSON.object(merge(members, over: base))).lateNames
    if Template(authority).names.contains(where: late.contains) || hosts.contains(.string(authority)) { return members }
    return members + [JSON.Member("apiHosts", .array(hosts + [.string(authority)]))]
  }

  /// Returns the provider for `reference`, with its preset merged in and its {names} filled in.
  ///
  /// `variables` win over those of the description and the preset. `kept` is the stored grant's copy of the publication.
  package func resolve(
    _ reference: ProviderReference, variables: NamedValues<String> = .init(), kept: Publication? = nil
  ) throws(OAuthFailure) -> Provider {
    let description = try description(reference, variables, kept: kept)
    var provider = try decode(description.filled, name: description.preset)
    try checkIssuer(of: provider, preset: description.preset)
    provider.published = provider.discovery.flatMap(fetched)?.description
    provider.publishedLimit = description.limit
    provider.preset = description.preset ?? provider.preset
    if description.preset != nil || provider.discovery != nil { provider.reference = Self.kept(reference, variables) }
    if description.preset == nil, let url = provider.discovery.flatMap({ try? URLParts($0) }) {
      provider.defaultAccount = Self.account(named: url)
    }
    return provider
  }

  /// Returns the JSON of `reference` with its {names} filled in, and the name of its preset.
  func written(
    _ reference: ProviderReference, _ variables: NamedValues<String> = .init()
  ) throws(OAuthFailure) -> (filled: [JSON.Member], preset: String?) {
    let given = Self.members(variables)
    let (members, preset): ([JSON.Member], String?)
    switch reference {
    case .preset(let name): (members, preset) = (given, name)
    case .url(let url): (members, preset) = (given + [.init("discovery", .string(url))], nil)
    case .description(let own): (members, preset) = (Self.merge(given, over: own), JSON.object(own)["preset"]?.string)
    }
    var base: [JSON.Member] = []
    if let preset { base = try self.base(preset) }
    // A complete description may have any variables. One that starts from a preset may set only known names.
    var described = base
    if preset == nil, case .description(let own) = reference { described = own }
    let values = PresetVariables(try Self.override(base, with: members))
    do throws(PresetVariables.Fault) {
      try values.check(own: (JSON.object(described)["variables"]?.members ?? []).map(\.name))
    } catch {
      let path = ObjectReader.pointer(to: error.name, in: variables[error.name] == nil ? "/provider/variables" : "/variables")
      throw OAuthFailure(
        .configurationInvalid, "\(path) \(error.problem)",
        details: [.init("path", .string(path))] + (error.known.map { [.init("known", .array($0.map { .string($0) }))] } ?? []))
    }
    // The grant stores the preset's name, to find the provider again.
    let named = preset.map { [JSON.Member("preset", .string($0))] } ?? []
    return (Self.merge(named, over: values.filled).map(Self.naming), preset)
  }

  /// Returns the `variables` that the provider does not know. Other errors are reported when the provider is resolved.
  package func unknownNames(of variables: NamedValues<String>, for reference: ProviderReference) -> [String] {
    var known = variables
    var unknown: [String] = []
    while true {
      do throws(OAuthFailure) {
        _ = try written(reference, known)
        return unknown
      } catch {
        let found = known.pairs.map(\.name).first { error["path"] == .string(ObjectReader.pointer(to: $0, in: "/variables")) }
        guard error["known"] != nil, let found else { return unknown }
        known.pairs.removeAll { $0.name == found }
        unknown.append(found)
      }
    }
  }

  private func base(_ name: String) throws(OAuthFailure) -> [JSON.Member] {
    if let base = try description(of: name) { return base }
    if let fault { throw fault }
    throw OAuthFailure(
      .configurationInvalid, "there is no provider \(Self.shown(name))\(Suggestion.question(name, among: try allNames))",
      details: [.init("path", "/provider"), .init("known", .array(try allNames.map { .string($0) }))])
  }

  /// Returns the reference to store, which is resolved again when the preset changes. Omits the private key, which is stored with the description.
  static func kept(_ reference: ProviderReference, _ variables: NamedValues<String>) -> JSON {
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

  func decode(_ members: [JSON.Member], name: String?) throws(OAuthFailure) -> Provider {
    let description = JSON.object(members)
    do {
      var provider = try Provider.decode(description, at: "/provider")
      try provider.refuseUnfilled()
      provider.source = description
      provider.defaultAccount = name ?? Self.host(of: provider) ?? "provider"
      if provider.name.isEmpty { provider.name = name ?? Self.issuerName(of: provider) ?? provider.defaultAccount }
      return provider
    } catch {
      throw OAuthFailure(.configurationInvalid, error.message, details: [.init("path", .string(error.path))])
    }
  }

  /// Returns the issuer without its scheme. It includes the path, since one host may have several issuers.
  private static func issuerName(of provider: Provider) -> String? {
    provider.issuer.flatMap { try? URLParts($0) }.map(account(named:))
  }

  private static func host(of provider: Provider) -> String? {
    for endpoint in [provider.issuer, provider.authorizationEndpoint, provider.tokenEndpoint, provider.openid.openidEndpoint] {
      if let endpoint, let url = try? URLParts(endpoint) { return url.host }
    }
    if let identifier = provider.openid.openidIdentifier, let known = try? OpenIDIdentifier(identifier) { return known.url.host }
    return nil
  }
}
