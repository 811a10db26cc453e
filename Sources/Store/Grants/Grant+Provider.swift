import Jansson
import OAuthCore
import Synchronization

extension Grant {
  /// Returns the grant plus hosts that the configuration or the request named after the sign-in; nil if there are none.
  ///
  /// Otherwise a host added after an error would take effect only after the next sign-in.
  package func withLaterHosts(of provider: Provider) -> Grant? {
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
  package var publication: Publication? {
    guard let url = provider["discovery"]?.string, let description = published ?? provider.members else { return nil }
    return Publication(url: url, description: description, scope: publishedLimit?.scope)
  }

  /// The metadata for a request that names its provider by `reference`. A merged description serves only a request with the same reference.
  package func publication(for reference: JSON) -> Publication? {
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
  package func secret(of clientId: String, for provider: Provider) throws(OAuthFailure) -> Secret? {
    guard client.id == clientId, let secret = client.secret else { return nil }
    return provider.sendsSecretsNowhereElse(than: try resolvedProvider) ? secret : nil
  }

  /// Returns the page that ends the provider's browser session for this account; nil if the provider has none.
  package func logoutURL(_ provider: Provider) -> String? {
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
  package final class DecodedDescription: Sendable, Equatable {
    /// The description as its preset or file defines it today.
    package struct CurrentDescription: Sendable {
      /// The sources that the preset or file was made from.
      let sources: DescriptionSources
      /// The description to use instead of the grant's own; nil if the grant's own is current.
      package let replacement: Replacement?

      package init(sources: DescriptionSources, replacement: Replacement?) {
        self.sources = sources
        self.replacement = replacement
      }
    }

    package struct Replacement: Sendable {
      var provider: JSON
      var published: [JSON.Member]?
      var publishedLimit: PublishedLimit?
      let decoded = DecodedDescription()

      package init(provider: JSON, published: [JSON.Member]?, publishedLimit: PublishedLimit?) {
        self.provider = provider
        self.published = published
        self.publishedLimit = publishedLimit
      }
    }

    private let state = Mutex<(provider: Provider?, today: CurrentDescription?)>((nil, nil))

    package static func == (one: DecodedDescription, other: DecodedDescription) -> Bool { true }

    func provider(_ decode: () throws(OAuthFailure) -> Provider) throws(OAuthFailure) -> Provider {
      if let known = state.withLock({ $0.provider }) { return known }
      let decoded = try decode()
      state.withLock { $0.provider = decoded }
      return decoded
    }

    /// The last result, unless one of its sources has changed.
    package func today(_ isUnchanged: (DescriptionSources) -> Bool) -> CurrentDescription? {
      guard let known = state.withLock({ $0.today }), isUnchanged(known.sources) else { return nil }
      return known
    }

    package func keep(_ found: CurrentDescription) { state.withLock { $0.today = found } }
  }
}

/// The inputs of a provider's description other than its reference. While they are equal, the description is unchanged.
package struct DescriptionSources: Sendable, Equatable {
  /// One of the user's provider files; `stamp` is nil if the file does not exist.
  package struct File: Sendable, Equatable {
    package let path: String
    package let stamp: FileStamp?

    package init(path: String, stamp: FileStamp?) {
      self.path = path
      self.stamp = stamp
    }
  }

  package let hasFiles: Bool
  package let files: [File]
  package let discoveries: ObjectIdentifier?
  package let revision: Int

  package init(hasFiles: Bool, files: [File], discoveries: ObjectIdentifier?, revision: Int) {
    self.hasFiles = hasFiles
    self.files = files
    self.discoveries = discoveries
    self.revision = revision
  }
}
