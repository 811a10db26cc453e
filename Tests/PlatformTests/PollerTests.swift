import TestSupport
import Testing

@testable import Platform

struct PollerTests {
  private let looks = Poller(everyMicroseconds: 1000)

  @Test func onlyTheWaiterThatIsDueReturns() async throws {
    let asked = EventCount()
    let other = Task { [looks] in try await looks.next { false } }
    try await looks.next { asked.add() >= 5 }
    #expect(asked.value == 5)
    other.cancel()
    await #expect(throws: CancellationError.self) { try await other.value }
  }

  @Test func itStartsAgainAfterAnIdleTime() async throws {
    for _ in 0..<3 {
      try await looks.next { true }
      // The thread ends when it finds no waiters.
      while looks.state.withLock(\.isRunning) { await Task.yield() }
    }
  }

  @Test func aCancelledWaiterIsNotAskedAgain() async throws {
    let asked = EventCount()
    let gone = Task { [looks] in
      try await looks.next {
        asked.add()
        return false
      }
    }
    while asked.value == 0 { try await looks.next { true } }
    gone.cancel()
    _ = await gone.result
    // A look that was running at the cancellation ends before the second look.
    for _ in 0..<2 { try await looks.next { true } }
    let last = asked.value
    for _ in 0..<5 { try await looks.next { true } }
    #expect(asked.value == last)
  }
}
