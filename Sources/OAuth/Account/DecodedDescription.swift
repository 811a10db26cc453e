import Jansson
import Synchronization

/// What one version of a grant's description means: worked out at its first use and shared by all copies of the grant, since every call needs it.
///
/// It is equal to any other, because a grant is the same whatever has been worked out of it.
final class DecodedDescription: Sendable, Equatable {
  /// The description as its preset or file has it today.
  struct Today: Sendable {
    /// What the preset or file was made from.
    var sources: Presets.Sources
    /// What stands in the place of the grant's own description; nil where that is still the one.
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

  /// What was worked out last, unless one of its sources has changed.
  func today(_ presets: Presets) -> Today? {
    guard let known = today.withLock({ $0 }), presets.isUnchanged(known.sources) else { return nil }
    return known
  }

  func keep(_ found: Today) { today.withLock { $0 = found } }
}
