import Synchronization

/// The requests received so far: what arrived at the OAuth endpoints, and how often a key was used.
///
/// It tells form values, secrets among them: it is there for tests, and every secret of the demo is public.
final class Journal: Sendable {
  private struct State: Sendable {
    var entries: [JSONText] = []
    var counts: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// The oldest entries are kept, so that a runaway client can't fill the memory.
  private static let limit = 10_000

  func record(_ request: Request) {
    let scheme = request[header: "authorization"].map { String($0.prefix { $0 != " " }) }
    let entry: JSONText = .object([
      ("method", .string(request.method)),
      ("path", .string(request.path)),
      ("query", request.query.json),
      ("headers", .array(request.headers.map { .string($0.name) })),
      ("host", .string(request[header: "host"] ?? "")),
      ("authorization", scheme.map { .string($0) } ?? .raw("null")),
      ("form", (request.form ?? Fields([])).json),
    ])
    state.withLock { state in
      if state.entries.count < Self.limit { state.entries.append(entry) }
    }
  }

  var json: JSONText { .array(state.withLock { $0.entries }) }

  /// Counts one more use of a key, and tells how many there were.
  func count(_ key: String) -> Int {
    state.withLock { state in
      state.counts[key, default: 0] += 1
      return state.counts[key, default: 0]
    }
  }

  func counted(_ key: String) -> Int { state.withLock { $0.counts[key] ?? 0 } }

  func reset() { state.withLock { $0 = State() } }
}
