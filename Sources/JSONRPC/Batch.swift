import Synchronization

/// The answers of one batch, sent as one array when the last has come (JSON-RPC 2.0, 6); a batch of notifications sends nothing at all.
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

  /// One element is done, with an answer or, for a notification, without.
  func done(_ answer: [UInt8]?) {
    let finished = state.withLock { state -> [[UInt8]]? in
      state.open -= 1
      if let answer { state.answers.append(answer) }
      return state.open == 0 ? state.answers : nil
    }
    guard let finished, !finished.isEmpty else { return }
    var array: [UInt8] = []
    array.reserveCapacity(finished.reduce(2) { $0 + $1.count + 1 })
    for (index, answer) in finished.enumerated() {
      array.append(UInt8(ascii: index == 0 ? "[" : ","))
      array.append(contentsOf: answer)
    }
    array.append(UInt8(ascii: "]"))
    send(array)
  }
}
