import Platform
import Synchronization

/// Limits how many requests wait for the head of the server's answer. With more, the listen queue of a small server overflows, and a connection
/// then takes a second.
final class Slots: Sendable {
  private static let limit = 16

  private struct State {
    var free = Slots.limit
    var waiting: [Promise<Void>] = []
  }

  final class Slot: Sendable {
    private let slots: Slots
    private let isLeft = Mutex(false)

    init(_ slots: Slots) { self.slots = slots }

    func leave() { if !isLeft.withLock({ exchange(&$0, with: true) }) { slots.giveBack() } }
  }

  private let state = Mutex(State())

  func take() async throws -> Slot {
    let turn = Promise<Void>()
    state.withLock { state in
      if state.free > 0 {
        state.free -= 1
        turn.settle(.success(()))
      } else {
        state.waiting.append(turn)
      }
    }
    do {
      try await turn.value()
    } catch {
      // The turn may have come at this moment.
      let wasWaiting = state.withLock { state in
        let count = state.waiting.count
        state.waiting.removeAll { $0 === turn }
        return state.waiting.count < count
      }
      if !wasWaiting { giveBack() }
      throw error
    }
    return Slot(self)
  }

  private func giveBack() {
    state.withLock { state in
      if state.waiting.isEmpty { state.free += 1 } else { state.waiting.removeFirst().settle(.success(())) }
    }
  }
}
