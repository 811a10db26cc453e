import Jansson

extension Grant {
  /// What stays as it was found out or given when the grant was made.
  private static let own: Set<String> = ["privateKey"]

  /// The grant with its provider as the preset or the file of that name describes it today, so that what was mended or changed there reaches it.
  ///
  /// Only where tokens still come from the same origin; and what would send secrets to an origin that got none before stays as it was. Where there is
  /// no such preset any more, or none that can be read, the grant goes on with what it was made with: whoever asks for the preset is told.
  func described(by presets: Presets) -> Grant {
    guard let reference = providerReference.flatMap(ProviderReference.init(kept:)) else { return self }
    let today: DecodedDescription.Today
    if let known = decoded.today(presets) {
      today = known
    } else {
      // Before the description: what changes meanwhile is seen the next time.
      let sources = presets.sources(of: reference)
      today = .init(sources: sources, replacement: replacement(reference, presets))
      decoded.keep(today)
    }
    return today.replacement.map(replacing) ?? self
  }

  /// nil where the grant goes on with its own description.
  private func replacement(_ reference: ProviderReference, _ presets: Presets) -> DecodedDescription.Replacement? {
    do {
      var (members, preset, limit) = try presets.description(reference, kept: publication)
      // Hosts that were named once stay named.
      limit?.name(publishedLimit?.namedHosts ?? [])
      if JSON.object(members) == provider, limit == publishedLimit { return nil }
      var today = try Provider.decode(.object(members))
      let kept = try Provider.decode(provider)
      try today.refuseUnfilled()
      today.preset = preset
      let leaking = try today.filled(with: attributes, client: client).leakingMembers(beside: kept.filled(with: attributes, client: client))
      guard let leaking else { return nil }
      // How a client that registered itself shows who it is was said to it alone (RFC 7591, 3.2.1).
      let merged = Self.merged(members, provider.members ?? [], keeping: leaking + (isClientRegistered ? ["clientAuthentication"] : []))
      return .init(
        provider: .object(merged), published: today.discovery.flatMap(presets.fetched)?.description ?? published, publishedLimit: limit,
        decoded: DecodedDescription())
    } catch {
      return nil
    }
  }

  private static func merged(_ today: [JSON.Member], _ kept: [JSON.Member], keeping leaking: [String]) -> [JSON.Member] {
    var names = own.union(leaking)
    if leaking.contains("revocationEndpoint") { names.formUnion(["revocationStyle", "revocationToken", "revocationTokenParameter"]) }
    // What was tried out once need not be tried again.
    if JSON.object(today)["clientAuthentication"] == "probe" { names.insert("clientAuthentication") }
    return today.filter { !names.contains($0.name) } + kept.filter { names.contains($0.name) }
  }
}

extension Grant {
  /// What the grant knows of the URL that its provider was discovered from.
  ///
  /// Grants of earlier versions kept no document by itself; for them what was merged stands in its place, and for nothing but this grant.
  var publication: Publication? {
    guard let url = provider["discovery"]?.string, let description = published ?? provider.members else { return nil }
    return Publication(url: url, description: description, scope: publishedLimit?.scope)
  }

  /// The same for a request that names its provider by `reference`: what was merged is that request's only where the words are the same.
  func publication(for reference: JSON) -> Publication? {
    published != nil || providerReference?.sorted == reference.sorted ? publication : nil
  }

  /// The provider as it was when the grant was given, with what it told of the account filled in. Decoded once for each version of the grant.
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
      throw OAuthFailure(.storageFailure, "the kept grant describes its provider wrongly: \(error.message)", account: account)
    }
    return try described.filled(with: attributes, client: client)
  }
}
