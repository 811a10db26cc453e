import Jansson
import Synchronization

/// The requests received so far: those to the OAuth endpoints, and how often a key was used.
///
/// It exposes form values including secrets. It is for tests only, and every secret of the demo is public.
final class Journal: Sendable {
  private struct State: Sendable {
    var entries: [JSON] = []
    var counts: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// Only the oldest entries are kept, so a runaway client can't fill the memory.
  private static let limit = 10_000

  func record(_ request: Request) {
    let scheme = request[header: "authorization"].map { String($0.prefix { $0 != " " }) }
    let entry: JSON = [
      "method": .string(request.method),
      "path": .string(request.path),
      "query": request.query.json,
      "headers": .array(request.headers.map { .string($0.name) }),
      "host": .string(request[header: "host"] ?? ""),
      "authorization": scheme.map { .string($0) } ?? .null,
      "form": (request.form ?? Fields([])).json,
    ]
    state.withLock { state in
      if state.entries.count < Self.limit { state.entries.append(entry) }
    }
  }

  var json: JSON { .array(state.withLock { $0.entries }) }

  /// Counts a use of a key and returns the number so far.
  func count(_ key: String) -> Int {
    state.withLock { state in
      state.counts[key, default: 0] += 1
      return state.counts[key, default: 0]
    }
  }

  func counted(_ key: String) -> Int { state.withLock { $0.counts[key] ?? 0 } }

  func reset() { state.withLock { $0 = State() } }
}
