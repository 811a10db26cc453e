import Jansson

/// The providers that are known by name: those that are built in, one JSON object each, and the user's own files. Each is parsed when it is asked for, so that
/// start-up does not pay for them.
package struct Presets: Sendable {
  /// What the user's own files add, or have in the place of a preset of the same name.
  private(set) var files: ProviderFiles?
  /// What has been found behind URLs; nil where nothing is looked for.
  private(set) var discoveries: Discoveries?

  private init() {}

  package static let builtIn = Presets()

  /// These and the user's own.
  package func adding(_ files: ProviderFiles) -> Presets {
    var presets = self
    presets.files = files
    return presets
  }

  /// These, and whatever is discovered.
  package func adding(_ discoveries: Discoveries) -> Presets {
    var presets = self
    presets.discoveries = discoveries
    return presets
  }

  /// The names of those that are built in.
  package var names: [String] { PresetTable.names }

  /// The names that the user's own files have.
  package var ownNames: [String] {
    get throws(OAuthFailure) { try files?.names ?? [] }
  }

  /// All names, the user's own among them.
  package var allNames: [String] {
    get throws(OAuthFailure) {
      let own = try ownNames
      return own.isEmpty ? names : Set(names).union(own).sorted()
    }
  }

  /// Why none of the user's own can be read, if so; those that are built in stay.
  package var fault: OAuthFailure? { files?.fault }

  /// nil where there is no preset of that name. A file of that name stands in its place; one that names it as its `preset` is laid over it.
  package func description(of name: String) throws(OAuthFailure) -> [JSON.Member]? { try description(of: name, for: []) }

  /// `names` have led here, so that two files that start from each other end.
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
      // That nothing can be read there says nothing of one that is built in.
      guard names.contains(name) else { throw fault }
      return nil
    }
  }

  private func builtIn(_ name: String) throws(OAuthFailure) -> [JSON.Member]? {
    guard let text = PresetTable.text(name) else { return nil }
    do {
      return try JSON.parse(text).members
    } catch {
      throw Self.fault("the preset \(name) is no json")
    }
  }

  /// A name as somebody wrote it, fit for a message.
  private static func shown(_ name: String) -> String { "\"\(ErrorText.clean(String(name.prefix(60))))\"" }

  private static func fault(_ message: String) -> OAuthFailure {
    OAuthFailure(.configurationInvalid, message, details: [.init("path", "/provider/preset")])
  }

  /// `members` laid over `base`, which may say that one of its members is not to be given up.
  static func override(_ base: [JSON.Member], with members: [JSON.Member]) throws(OAuthFailure) -> [JSON.Member] {
    if JSON.object(base)["pkce"] == "required", let pkce = JSON.object(members)["pkce"], pkce != "required" {
      throw OAuthFailure(
        .configurationInvalid, "/provider/pkce cannot be changed: the provider takes no request without a code challenge",
        details: [.init("path", "/provider/pkce")])
    }
    return merge(allowingOwnBase(members, over: base), over: base)
  }

  /// `members`, with the host of an API base of their own beside the hosts that `base` names, unless they name hosts themselves: whoever moves the API
  /// means to call it there.
  private static func allowingOwnBase(_ members: [JSON.Member], over base: [JSON.Member]) -> [JSON.Member] {
    let own = JSON.object(members)
    guard case .string(let url)? = own["apiBase"], own["apiHosts"] == nil, let hosts = JSON.object(base)["apiHosts"]?.array else {
      return members
    }
    guard let authority = (try? URLReference(url))?.authority, !authority.isEmpty else { return members }
    // What the redirect or the tokens bring is no host that somebody has named.
    let late = (JSON.object(merge(members, over: base))).lateNames
    if Template(authority).names.contains(where: late.contains) || hosts.contains(.string(authority)) { return members }
    return members + [JSON.Member("apiHosts", .array(hosts + [.string(authority)]))]
  }

  /// The provider that `reference` means, with its preset underneath and its {names} filled in.
  ///
  /// `variables` win over those of the description and of the preset; `kept` is what a grant knows of a URL that has to be discovered.
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

  /// What `reference` says, as JSON: its {names} filled in, and the name of the preset that it starts from.
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
    // A whole description, built in or not, says itself which values it has; what lies over one has values for its names alone.
    var described = base
    if preset == nil, case .description(let own) = reference { described = own }
    let values = PresetVariables(try Self.override(base, with: members))
    do throws(PresetVariables.Fault) {
      try values.check(own: (JSON.object(described)["variables"]?.members ?? []).map(\.name))
    } catch {
      let path = Fields.pointer(to: error.name, in: variables[error.name] == nil ? "/provider/variables" : "/variables")
      throw OAuthFailure(
        .configurationInvalid, "\(path) \(error.problem)",
        details: [.init("path", .string(path))] + (error.known.map { [.init("known", .array($0.map { .string($0) }))] } ?? []))
    }
    // A grant keeps it, to say by which name its provider can be asked for again.
    let named = preset.map { [JSON.Member("preset", .string($0))] } ?? []
    return (Self.merge(named, over: values.filled).map(Self.naming), preset)
  }

  /// Those of `variables` that the provider has no name for; what else is wrong is told when it is resolved.
  package func unknownNames(of variables: NamedValues<String>, for reference: ProviderReference) -> [String] {
    var known = variables
    var unknown: [String] = []
    while true {
      do throws(OAuthFailure) {
        _ = try written(reference, known)
        return unknown
      } catch {
        let found = known.pairs.map(\.name).first { error["path"] == .string(Fields.pointer(to: $0, in: "/variables")) }
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

  /// What was named, to be resolved again when the preset has changed; without the client's key, which is kept with the description.
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

  /// The issuer without its scheme: one host may have several.
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
