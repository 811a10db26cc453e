import Jansson
import OAuthCore
import Store

/// The authorization server of an account, and the one that its API names now.
package struct IssuerChange: Sendable, Equatable {
  package let previous: String
  package let current: String

  /// Returns nil if they are the same, but for a trailing slash, or if one of them is unknown.
  init?(from previous: String?, to current: String?) {
    func trimmed(_ issuer: String) -> Substring { issuer.utf8.last == UInt8(ascii: "/") ? issuer.dropLast() : issuer[...] }
    guard let previous, let current, trimmed(previous) != trimmed(current) else { return nil }
    (self.previous, self.current) = (previous.plain, current.plain)
  }

  /// Compares the token endpoints' origins if a server has no metadata, which would name its issuer.
  init?(from old: Provider, to new: Provider) {
    let haveIssuers = old.issuer != nil && new.issuer != nil
    let names = [old, new].map { haveIssuers ? $0.issuer : $0.tokenEndpoint.map(Provider.origin) }
    self.init(from: names[0], to: names[1])
  }
}

extension OAuthFailure {
  package static func issuerChanged(_ change: IssuerChange, account: String, advice: Advice = .signIn) -> OAuthFailure {
    let why = "the API names the authorization server \(change.current) now, and the grant is of \(change.previous)"
    var failure = signInRequired(.issuerChanged, account: account, why: why, advice: advice)
    failure.details += [.init("previousIssuer", .string(change.previous)), .init("issuer", .string(change.current))]
    return failure
  }
}

extension ProviderCatalog {
  /// Returns the reference to the grant's provider, and the change, if this process knows that the API names another authorization server.
  package func change(of grant: Grant) -> (reference: ProviderReference, issuers: IssuerChange)? {
    guard let provider = try? grant.resolvedProvider, provider.isFoundFromAPI, let url = provider.discovery,
      let sources = discoveries?.sources(of: url), let found = fetched(url), !sources.issuers.isEmpty, !lists(provider.issuer, at: url),
      let issuers = IssuerChange(from: provider.issuer, to: JSON.object(found.description)["issuer"]?.string),
      let reference = grant.providerReference.flatMap(ProviderReference.init(stored:))
    else { return nil }
    return (reference, issuers)
  }

  /// Whether the resource at `url` names this issuer, maybe among others.
  private func lists(_ issuer: String?, at url: String) -> Bool {
    discoveries?.sources(of: url)?.issuers.contains { IssuerChange(from: issuer, to: $0) == nil } == true
  }

  /// Returns the grant's copy if it wins over the fetched one, because the resource lists both issuers. The first of several servers may be
  /// out of order.
  func stillNamed(_ own: Publication) -> Publication? {
    let issuer = JSON.object(own.description)["issuer"]?.string
    guard let found = fetched(own.url), lists(issuer, at: own.url) else { return nil }
    return IssuerChange(from: issuer, to: JSON.object(found.description)["issuer"]?.string).map { _ in own }
  }

  /// Whether the provider's authorization server takes the URL of a client's metadata as its ID.
  func acceptsClientMetadata(_ provider: Provider) -> Bool {
    provider.discovery.flatMap { discoveries?.sources(of: $0) }?.acceptsClientMetadata == true
  }
}
