import Jansson
import Synchronization

/// What servers have published at URLs, as this process fetched it. No grant fills it, so that it can decide where secrets go.
package final class Discoveries: Sendable {
  private struct Known {
    var description: [JSON.Member]
    /// Unix seconds.
    var until: Int
    var scope: NetworkScope
  }

  private struct State {
    var known: [String: Known] = [:]
    var running: [String: Promise<Void>] = [:]
    /// Counts what was added.
    var revision = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Of whatever age; nil where nothing is known.
  func description(of url: String) -> [JSON.Member]? { state.withLock { $0.known[url]?.description } }

  /// Another number means that something else may be known.
  var revision: Int { state.withLock { $0.revision } }

  func publication(at url: String) -> Publication? {
    state.withLock { $0.known[url] }.map { Publication(url: url, description: $0.description, scope: $0.scope) }
  }

  func isFresh(_ url: String, at now: Int) -> Bool { state.withLock { ($0.known[url]?.until ?? 0) > now } }

  /// Keeps what was fetched from `url`; it is fresh until `until`, in Unix seconds.
  func add(_ description: [JSON.Member], of url: String, until: Int, scope: NetworkScope = .thisMachine) {
    state.withLock { state in
      state.known[url] = Known(description: description, until: until, scope: scope)
      state.revision += 1
    }
  }

  /// Looks behind the URL, once for all who ask meanwhile; whoever is cancelled leaves the others with what they wait for.
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
