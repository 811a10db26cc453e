import Jansson
import OAuthCore
import Synchronization

extension Grant {
  /// The decoded form of one version of a grant's description.
  /// It is decoded at first use and shared by all copies of the grant, because every call needs it.
  ///
  /// All values compare as equal: decoding does not change a grant.
  package final class DecodedDescription: Sendable, Equatable {
    /// The description as its preset or file defines it today.
    package struct Today: Sendable {
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

    private let state = Mutex<(provider: Provider?, today: Today?)>((nil, nil))

    package static func == (one: DecodedDescription, other: DecodedDescription) -> Bool { true }

    func provider(_ decode: () throws(OAuthFailure) -> Provider) throws(OAuthFailure) -> Provider {
      if let known = state.withLock({ $0.provider }) { return known }
      let decoded = try decode()
      state.withLock { $0.provider = decoded }
      return decoded
    }

    /// The last result, unless one of its sources has changed.
    package func today(_ isUnchanged: (DescriptionSources) -> Bool) -> Today? {
      guard let known = state.withLock({ $0.today }), isUnchanged(known.sources) else { return nil }
      return known
    }

    package func keep(_ found: Today) { state.withLock { $0.today = found } }
  }
}
