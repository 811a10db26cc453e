import Jansson
import OAuthCore
import Platform
import Synchronization

/// Metadata that this process fetched from discovery URLs. Stored grants never fill it, because it decides where secrets are sent.
package final class DiscoveryCache: Sendable {
  private struct State {
    /// By URL; fresh until a Unix second.
    var known: [String: (publication: Publication, until: Int)] = [:]
    var revision = 0
  }

  private let state = Mutex(State())
  private let fetches = SingleFlight<String, Void>()

  package init() {}

  /// A number that changes with every addition.
  var revision: Int { state.withLock { $0.revision } }

  /// Returns the publication regardless of its age; nil if none is known.
  func publication(at url: String) -> Publication? { state.withLock { $0.known[url]?.publication } }

  func isFresh(_ url: String, at now: Int) -> Bool { state.withLock { ($0.known[url]?.until ?? 0) > now } }

  /// Stores what was fetched from `url`. It is fresh until `until`, in Unix seconds.
  func add(_ description: [JSON.Member], of url: String, until: Int, scope: NetworkScope = .thisMachine) {
    state.withLock { state in
      state.known[url] = (Publication(url: url, description: description, scope: scope), until)
      state.revision += 1
    }
  }

  /// Fetches the URL's metadata, once for all concurrent callers. Cancelling one caller does not affect the others.
  func discover(_ url: URLParts, named name: String, http: any HTTPClient, clock: Clock) async throws {
    try await fetches.value(name) { [self] in
      var discovery = Discovery(url, http: http)
      let found = try await discovery.run()
      add(found.description, of: name, until: clock.now + found.lifetime, scope: found.scope)
    }
  }
}
