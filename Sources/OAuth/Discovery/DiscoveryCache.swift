import Jansson
import OAuthCore
import Platform
import Synchronization

/// Metadata that this process fetched from discovery URLs. Stored grants never fill it, because it decides where secrets are sent.
package final class DiscoveryCache: Sendable {
  private struct Known {
    var description: [JSON.Member]
    /// Unix seconds.
    var until: Int
    var scope: NetworkScope
  }

  private struct State {
    var known: [String: Known] = [:]
    var running: [String: Promise<Void>] = [:]
    /// Number of additions.
    var revision = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Returns the description regardless of its age; nil if none is known.
  func description(of url: String) -> [JSON.Member]? { state.withLock { $0.known[url]?.description } }

  /// A number that changes with every addition.
  var revision: Int { state.withLock { $0.revision } }

  func publication(at url: String) -> Publication? {
    state.withLock { $0.known[url] }.map { Publication(url: url, description: $0.description, scope: $0.scope) }
  }

  func isFresh(_ url: String, at now: Int) -> Bool { state.withLock { ($0.known[url]?.until ?? 0) > now } }

  /// Stores what was fetched from `url`. It is fresh until `until`, in Unix seconds.
  func add(_ description: [JSON.Member], of url: String, until: Int, scope: NetworkScope = .thisMachine) {
    state.withLock { state in
      state.known[url] = Known(description: description, until: until, scope: scope)
      state.revision += 1
    }
  }

  /// Fetches the URL's metadata, once for all concurrent callers. Cancelling one caller does not affect the others.
  func discover(_ url: URLParts, named name: String, http: any HTTPClient, clock: @escaping @Sendable () -> Int) async throws {
    let (promise, isFirst) = state.withLock { state -> (Promise<Void>, Bool) in
      if let running = state.running[name] { return (running, false) }
      let promise = Promise<Void>()
      state.running[name] = promise
      return (promise, true)
    }
    if isFirst {
      Task { [self] in
        let outcome: Result<Void, any Error>
        do {
          var discovery = Discovery(url, http: http)
          let found = try await discovery.run()
          add(found.description, of: name, until: clock() + found.lifetime, scope: found.scope)
          outcome = .success(())
        } catch {
          outcome = .failure(error)
        }
        state.withLock { $0.running[name] = nil }
        promise.settle(outcome)
      }
    }
    try await promise.value()
  }
}
