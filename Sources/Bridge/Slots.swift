import Platform
import Synchronization

/// Limits how many requests wait for the head of the server's answer. With more, the listen queue of a small server overflows, and a connection
/// then takes a second.
final class Slots: Sendable {
  private static let limit = 16

  struct Slot: Sendable {
    fileprivate let slots: Slots
    fileprivate let turn = Promise<Void>()

    /// May be called repeatedly.
    func leave() { slots.change { $0.removeAll { $0 === turn } } }
  }

  /// One for each request, in order. The first ones have a slot, and the others wait.
  private let turns = Mutex<[Promise<Void>]>([])

  func take() async throws -> Slot {
    let slot = Slot(slots: self)
    change { $0.append(slot.turn) }
    do {
      try await slot.turn.value()
      return slot
    } catch {
      slot.leave()
      throw error
    }
  }

  /// Changes the turns. A change frees at most one slot, so only the last turn within the limit can be new.
  private func change(_ body: (inout [Promise<Void>]) -> Void) {
    turns.withLock { turns in
      body(&turns)
      turns.prefix(Self.limit).last?.settle(.success(()))
    }
  }
}
