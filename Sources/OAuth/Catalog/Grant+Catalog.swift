import Jansson
import OAuthCore
import Store

extension Grant {
  /// Members that keep the value from when the grant was made.
  private static let own: Set<String> = ["privateKey"]

  /// Returns the grant with its provider as the preset or file describes it today. Corrections there therefore reach the grant.
  ///
  /// This happens only if tokens still come from the same origin. A member that would send secrets to a new origin keeps its old value.
  /// If the preset is gone or unreadable, the grant keeps its stored description. A request that names the preset gets the failure.
  func described(by catalog: ProviderCatalog) -> Grant {
    guard let reference = providerReference.flatMap(ProviderReference.init(kept:)) else { return self }
    let today: DecodedDescription.CurrentDescription
    if let known = decoded.today(catalog.isUnchanged) {
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
        published: today.published ?? published, publishedLimit: limit)
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
}
