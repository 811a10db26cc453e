import Jansson
import Synchronization

/// What has been discovered behind URLs in this process; descriptions start from it as they do from a preset.
package final class Discoveries: Sendable {
  private struct Known {
    var description: [JSON.Member]
    /// Unix seconds; 0 for what comes from a grant, and is good enough to use the grant with.
    var until: Int
  }

  private struct State {
    var known: [String: Known] = [:]
    var running: [String: Promise<Void>] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Of whatever age; nil where nothing is known.
  func description(of url: String) -> [JSON.Member]? { state.withLock { $0.known[url]?.description } }

  func isFresh(_ url: String, at now: Int) -> Bool { state.withLock { ($0.known[url]?.until ?? 0) > now } }

  /// Takes what a grant was made with, where nothing else is known.
  func suppose(_ description: [JSON.Member], of url: String) {
    state.withLock { if $0.known[url] == nil { $0.known[url] = Known(description: description, until: 0) } }
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
          state.withLock { $0.known[name] = Known(description: found.description, until: clock() + found.lifetime) }
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
