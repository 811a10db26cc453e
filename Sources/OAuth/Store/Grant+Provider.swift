import Jansson
import OAuthCore
import Synchronization

extension Grant {
  /// Members that keep the value from when the grant was made.
  private static let own: Set<String> = ["privateKey"]

  /// Returns the grant with its provider as the preset or file describes it today. Corrections there therefore reach the grant.
  ///
  /// This happens only if tokens still come from the same origin. A member that would send secrets to a new origin keeps its old value.
  /// If the preset is gone or unreadable, the grant keeps its stored description. A request that names the preset gets the failure.
  func described(by catalog: ProviderCatalog) -> Grant {
    guard let reference = providerReference.flatMap(ProviderReference.init(kept:)) else { return self }
    let today: DecodedDescription.Today
    if let known = decoded.today(catalog) {
      today = known
    } else {
      // Read before the description: a change in between is noticed at the next read.
      let sources = catalog.sources(of: reference)
      today = .init(sources: sources, replacement: replacement(reference, catalog))
      decoded.keep(today)
    }
    return today.replacement.map(replacing) ?? self
  }

  /// Returns nil if the grant keeps its own description.
  private func replacement(_ reference: ProviderReference, _ catalog: ProviderCatalog) -> DecodedDescription.Replacement? {
    do {
      let today = try catalog.resolve(reference, kept: publication)
      var limit = today.publishedLimit
      // Hosts that were named once stay named.
      limit?.name(publishedLimit?.namedHosts ?? [])
      if today.source == provider, limit == publishedLimit { return nil }
      let kept = try Provider.decode(provider)
      let leaking = try today.filled(with: attributes, client: client).leakingMembers(beside: kept.filled(with: attributes, client: client))
      guard let leaking else { return nil }
      // Only the registered client itself received its authentication method (RFC 7591, 3.2.1).
      let names = leaking + (isClientRegistered ? ["clientAuthentication"] : [])
      return .init(
        provider: .object(Self.merged(today.source.members ?? [], provider.members ?? [], keeping: names)),
        published: today.published ?? published, publishedLimit: limit, decoded: DecodedDescription())
    } catch {
      return nil
    }
  }

  private static func merged(_ today: [JSON.Member], _ kept: [JSON.Member], keeping leaking: [String]) -> [JSON.Member] {
    var names = own.union(leaking)
    if leaking.contains("revocationEndpoint") { names.formUnion(["revocationStyle", "revocationToken", "revocationTokenParameter"]) }
    // A client authentication method that was found by probing need not be probed again.
    if JSON.object(today)["clientAuthentication"] == "probe" { names.insert("clientAuthentication") }
    return today.filter { !names.contains($0.name) } + kept.filter { names.contains($0.name) }
  }

  /// Returns the grant plus hosts that the configuration or the request named after the sign-in; nil if there are none.
  ///
  /// Otherwise a host added after an error would take effect only after the next sign-in.
  func naming(hostsOf provider: Provider) -> Grant? {
    var better = self
    // A description without a publication names all its hosts itself.
    better.publishedLimit?.name(provider.publishedLimit?.namedHosts ?? PublishedLimit.hosts(in: provider.source))
    guard better.publishedLimit != publishedLimit else { return nil }
    better.generation += 1
    return better
  }

  /// The metadata from the URL that the provider was discovered from.
  ///
  /// Grants of earlier versions store no separate document. For them the merged description is used, and only for this grant.
  var publication: Publication? {
    guard let url = provider["discovery"]?.string, let description = published ?? provider.members else { return nil }
    return Publication(url: url, description: description, scope: publishedLimit?.scope)
  }

  /// The metadata for a request that names its provider by `reference`. A merged description serves only a request with the same reference.
  func publication(for reference: JSON) -> Publication? {
    published != nil || providerReference?.sorted == reference.sorted ? publication : nil
  }

  /// The provider as described when the grant was issued, filled with the account's values. Decoded once for each version of the grant.
  package var resolvedProvider: Provider {
    get throws(OAuthFailure) { try decoded.provider { () throws(OAuthFailure) in try decodedProvider() } }
  }

  private func decodedProvider() throws(OAuthFailure) -> Provider {
    let described: Provider
    do {
      var provider = try Provider.decode(self.provider)
      provider.source = self.provider
      provider.name = providerName
      provider.reference = providerReference
      (provider.published, provider.publishedLimit) = (published, publishedLimit)
      described = provider
    } catch {
      throw OAuthFailure(.storageFailure, "the stored grant describes its provider wrongly: \(error.message)", account: account)
    }
    return try described.filled(with: attributes, client: client)
  }

  /// Returns this client's stored secret, unless `provider` would send it to a new origin.
  func secret(of clientId: String, for provider: Provider) throws(OAuthFailure) -> Secret? {
    guard client.id == clientId, let secret = client.secret else { return nil }
    return provider.sendsSecretsNowhereElse(than: try resolvedProvider) ? secret : nil
  }

  /// Returns the page that ends the provider's browser session for this account; nil if the provider has none.
  func logoutURL(_ provider: Provider) -> String? {
    let options = provider.logout
    guard let endpoint = options.endSessionEndpoint, Template(endpoint).names.isEmpty, let url = try? URLParts(endpoint) else { return nil }
    let values = ["clientId": client.id, "email": email, "subject": subject]
    var parameters: [(String, String)] = []
    for (name, text) in options.endSessionParameters.pairs {
      let missing = Template(text).names.filter { (values[$0] ?? nil)?.isEmpty ?? true }
      if missing.isEmpty { parameters.append((name, Template(text).filled { values[$0] ?? nil })) }
    }
    return parameters.isEmpty ? url.description : url.appendingQuery(parameters).description
  }
}

extension Grant {
  /// The decoded form of one version of a grant's description.
  /// It is decoded at first use and shared by all copies of the grant, because every call needs it.
  ///
  /// All values compare as equal: decoding does not change a grant.
  final class DecodedDescription: Sendable, Equatable {
    /// The description as its preset or file defines it today.
    struct Today: Sendable {
      /// The sources that the preset or file was made from.
      var sources: ProviderCatalog.Sources
      /// The description to use instead of the grant's own; nil if the grant's own is current.
      var replacement: Replacement?
    }

    struct Replacement: Sendable {
      var provider: JSON
      var published: [JSON.Member]?
      var publishedLimit: PublishedLimit?
      var decoded: DecodedDescription
    }

    private let provider = Mutex<Provider?>(nil)
    private let today = Mutex<Today?>(nil)

    static func == (one: DecodedDescription, other: DecodedDescription) -> Bool { true }

    func provider(_ decode: () throws(OAuthFailure) -> Provider) throws(OAuthFailure) -> Provider {
      if let known = provider.withLock({ $0 }) { return known }
      let decoded = try decode()
      provider.withLock { $0 = decoded }
      return decoded
    }

    /// The last result, unless one of its sources has changed.
    func today(_ catalog: ProviderCatalog) -> Today? {
      guard let known = today.withLock({ $0 }), catalog.isUnchanged(known.sources) else { return nil }
      return known
    }

    func keep(_ found: Today) { today.withLock { $0 = found } }
  }
}
