import Jansson
import OAuthCore
import Store

/// The providers with names: the built-in presets, one JSON object each, and the user's provider files.
///
/// Each is parsed on first use, which keeps start-up fast.
package struct ProviderCatalog: Sendable {
  /// The user's provider files. A file wins over a preset of the same name.
  package var files: ProviderFiles?
  /// The documents discovered at URLs; nil if discovery is off.
  package var discoveries: Discovery.Cache?

  private init() {}

  package static let builtIn = ProviderCatalog()

  /// The names of the built-in presets.
  package var names: [String] { Preset.all.map(\.name) }

  /// The names of the user's provider files.
  package var ownNames: [String] { files?.names ?? [] }

  /// All names, including the user's provider files.
  package var allNames: [String] {
    let own = ownNames
    return own.isEmpty ? names : Set(names).union(own).sorted()
  }

  /// Returns the words of the command that signs a new account of this name in. An account can be named after its provider or
  /// its server's URL.
  package func login(_ account: String) -> String {
    let name = account.plain
    if allNames.contains(account) { return "login \(ShellWord.operand(name))" }
    return name.contains("/") ? "login URL" : "login PROVIDER \(ShellWord.option("--account", name))"
  }

  /// Returns the description of this name; nil if there is none. A file replaces the preset of its name, or extends it if its `preset` names it.
  package func description(of name: String) throws(OAuthFailure) -> [JSON.Member]? { try description(of: name, for: []) }

  /// `names` are the files visited so far; they detect files that start from each other.
  private func description(of name: String, for names: [String]) throws(OAuthFailure) -> [JSON.Member]? {
    guard let own = try files?.description(of: name) else { return try builtIn(name) }
    guard case .string(let preset)? = JSON.object(own)["preset"] else { return own }
    let base: [JSON.Member]?
    if preset == name {
      base = try builtIn(name)
    } else if names.contains(preset) {
      let circle = (names + [name]).joined(separator: ", ")
      throw Self.fault("the providers \(circle) name each other as their preset: remove one of these references")
    } else {
      base = try description(of: preset, for: names + [name])
    }
    guard let base else {
      let question = Suggestion.question(preset, among: allNames.filter { $0 != name })
      throw Self.fault("the provider \(name) names the preset \(Self.shown(preset)), which does not exist\(question)")
    }
    return try Self.override(base, with: own)
  }

  private func builtIn(_ name: String) throws(OAuthFailure) -> [JSON.Member]? {
    guard let text = Preset.named(name)?.text else { return nil }
    guard let preset = try? JSON.parse(text) else { throw Self.fault("the preset \(name) is not valid JSON") }
    return preset.members
  }

  /// Returns a name from the caller, fit for a message.
  static func shown(_ name: String) -> String { "\"\(Redaction.none.clean(String(name.prefix(60))))\"" }

  private static func fault(_ message: String) -> OAuthFailure { .misconfigured("/provider/preset", message) }

  /// Merges `members` over `base`. Rejects a change of a `pkce` that `base` requires.
  static func override(_ base: [JSON.Member], with members: [JSON.Member]) throws(OAuthFailure) -> [JSON.Member] {
    if JSON.object(base)["pkce"] == "required", let pkce = JSON.object(members)["pkce"], pkce != "required" {
      throw .misconfigured(FieldError("/provider/pkce", "cannot be changed: the provider takes no request without a code challenge"))
    }
    return merge(allowingOwnBase(members, over: base), over: base)
  }

  /// Returns `members` with the host of their own API base added to `base`'s hosts, unless they name hosts themselves.
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

  /// Merges two descriptions; `upper` wins. Inner objects are merged too, so a description can change one parameter without repeating the others.
  package static func merge(_ upper: [JSON.Member], over base: [JSON.Member]) -> [JSON.Member] {
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

extension ProviderReference {
  /// Returns the reference with another resource for its tokens, or with none if it is `off`.
  func with(resource: String) -> ProviderReference {
    let own =
      resource == "off"
      ? JSON.Member("resourceIndicator", "off") : JSON.Member("authorizationParameters", .object([.init("resource", .string(resource))]))
    switch self {
    case .preset(let name): return .description([.init("preset", .string(name)), own])
    case .url(let url): return .description([.init("discovery", .string(url)), own])
    case .description(let members): return .description(ProviderCatalog.merge([own], over: members))
    }
  }
}

extension ProviderCatalog {
  func sources(of reference: ProviderReference) -> DescriptionSources {
    var found: [String: FileStamp?] = [:]
    var next = reference.presetName
    while let name = next, let path = files?.path(of: name), found[path] == nil {
      let stamp = FileStamp.ifAny(path)
      found[path] = .some(stamp)
      // A file that cannot be read ends the search. Using it later reports the error.
      next = stamp == nil ? nil : (try? files?.description(of: name)).flatMap { JSON.object($0)["preset"]?.string }
    }
    return DescriptionSources(files: found, discoveries: discoveries.map(ObjectIdentifier.init), revision: discoveries?.revision ?? 0)
  }

  func isUnchanged(_ sources: DescriptionSources) -> Bool {
    sources.discoveries == discoveries.map(ObjectIdentifier.init) && sources.revision == discoveries?.revision ?? 0
      && sources.files.allSatisfy { $0.value == FileStamp.ifAny($0.key) }
  }
}

extension Grant {
  /// Members that keep the value from when the grant was made.
  private static let own: Set<String> = ["privateKey"]

  /// Returns the grant with its provider as the preset or file describes it today. Corrections there therefore reach the grant.
  ///
  /// This happens only if tokens still come from the same origin. A member that would send secrets to a new origin keeps its old value.
  /// If the preset is gone or unreadable, the grant keeps its stored description. A request that names the preset gets the failure.
  package func described(by catalog: ProviderCatalog) -> Grant {
    guard let reference = providerReference.flatMap(ProviderReference.init(stored:)) else { return self }
    let current: DecodedDescription.CurrentDescription
    if let cached = decoded.current(catalog.isUnchanged) {
      current = cached
    } else {
      // Read before the description: a change in between is noticed at the next read.
      let sources = catalog.sources(of: reference)
      current = (sources, replacement(reference, catalog))
      decoded.cache(current)
    }
    return current.replacement.map(replacing) ?? self
  }

  /// Returns nil if the grant keeps its own description.
  private func replacement(_ reference: ProviderReference, _ catalog: ProviderCatalog) -> DecodedDescription.Replacement? {
    do {
      let today = try catalog.resolve(reference, stored: publication)
      var limit = today.publishedLimit
      // Hosts that were named once stay named.
      limit?.name(publishedLimit?.namedHosts ?? [])
      if today.source == provider, limit == publishedLimit { return nil }
      let old = try Provider.decode(provider)
      let leaking = try today.filled(with: attributes, client: client).leakingMembers(beside: old.filled(with: attributes, client: client))
      // Another issuer's metadata may not say where this grant's tokens go, not even beside endpoints of the description's own.
      guard let leaking, today.preset != nil || IssuerChange(from: old.issuer, to: today.issuer) == nil else { return nil }
      // Only the registered client itself received its authentication method (RFC 7591, 3.2.1).
      let names = leaking + (isClientRegistered ? ["clientAuthentication"] : [])
      return .init(
        provider: .object(Self.merged(today.source.members ?? [], provider.members ?? [], keeping: names)),
        published: today.published ?? published, publishedLimit: limit)
    } catch {
      return nil
    }
  }

  private static func merged(_ today: [JSON.Member], _ old: [JSON.Member], keeping leaking: [String]) -> [JSON.Member] {
    var names = own.union(leaking)
    if leaking.contains("revocationEndpoint") {
      names.formUnion(["revocationStyle", "revocationToken", "revocationTokenParameter", "revocationParameters"])
    }
    // A client authentication method that was found by probing need not be probed again.
    if JSON.object(today)["clientAuthentication"] == "probe" { names.insert("clientAuthentication") }
    return today.filter { !names.contains($0.name) } + old.filter { names.contains($0.name) }
  }
}
