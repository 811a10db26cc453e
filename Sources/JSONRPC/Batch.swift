import Synchronization

/// Collects the answers of one batch and sends them as one array when the last is there (JSON-RPC 2.0 §6). A batch of notifications sends nothing.
final class Batch: Sendable {
  private struct State {
    var open: Int
    var answers: [[UInt8]] = []
  }

  private let state: Mutex<State>
  private let send: @Sendable ([UInt8]) -> Void

  init(count: Int, send: @escaping @Sendable ([UInt8]) -> Void) {
    state = Mutex(State(open: count))
    self.send = send
  }

  /// Records that one element is done. A notification has no answer.
  func done(_ answer: [UInt8]?) {
    let finished = state.withLock { state -> [[UInt8]]? in
      state.open -= 1
      if let answer { state.answers.append(answer) }
      return state.open == 0 ? state.answers : nil
    }
    guard let finished, !finished.isEmpty else { return }
    send([UInt8(ascii: "[")] + finished.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")])
  }
}
