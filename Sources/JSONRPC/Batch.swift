import Synchronization

/// Collects the answers of one batch and sends them as one array when the last is there (JSON-RPC 2.0 §6). A batch of notifications sends nothing.
final class Batch: Sendable {
  private struct State {
    var open: Int
    var answers: [[[UInt8]]] = []
  }

  /// In bytes. A longer piece stays separate, because a shorter one costs less to copy than to write.
  private static let shortest = 4096

  private let state: Mutex<State>
  private let send: @Sendable ([[UInt8]]) -> Void

  /// `send` takes the array in pieces, so text that thousands of answers share is not copied.
  init(count: Int, send: @escaping @Sendable ([[UInt8]]) -> Void) {
    state = Mutex(State(open: count))
    self.send = send
  }

  /// Records that one element is done. A notification has no answer.
  func done(_ answer: [[UInt8]]?) {
    let finished = state.withLock { state -> [[[UInt8]]]? in
      state.open -= 1
      if let answer { state.answers.append(answer) }
      return state.open == 0 ? state.answers : nil
    }
    guard let finished, !finished.isEmpty else { return }
    var pieces: [[UInt8]] = []
    var gathered: [UInt8] = []
    for (index, answer) in finished.enumerated() {
      gathered.append(UInt8(ascii: index == 0 ? "[" : ","))
      for piece in answer {
        if answer.count == 1 || piece.count < Self.shortest {
          gathered.append(contentsOf: piece)
        } else {
          pieces += [gathered, piece]
          gathered = []
        }
      }
    }
    gathered.append(UInt8(ascii: "]"))
    send(pieces + [gathered])
  }
}
