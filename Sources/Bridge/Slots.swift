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

  /// Those of the requests that have a slot, then of those that wait for one.
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

  /// Changes the turns. At most one request gets a slot by that.
  private func change(_ change: (inout [Promise<Void>]) -> Void) {
    turns.withLock { turns in
      change(&turns)
      turns.prefix(Self.limit).last?.settle(.success(()))
    }
  }
}
