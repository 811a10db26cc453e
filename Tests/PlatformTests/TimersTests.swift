import TestSupport
import Testing

@testable import Platform

struct TimersTests {
  private let timers = Timers()

  private func wait(milliseconds: Int) async throws {
    try await Clock(milliseconds: { 0 }, uptime: { 0 }, schedule: timers.schedule).sleep(milliseconds: milliseconds)
  }

  @Test func eachTimerFiresInItsTime() async throws {
    let later = Task { try await wait(milliseconds: 40) }
    let began = Clock.system.uptime()
    // Earlier than the timer, and again after it has fired.
    for _ in 0..<2 { try await wait(milliseconds: 5) }
    #expect(Clock.system.uptime() - began >= 10)
    try await later.value
    #expect(Clock.system.uptime() - began >= 39)
  }

  /// The system timer of a cancelled timer stays. It neither delays an earlier timer nor fires a later one.
  @Test(arguments: [5, 60_000])
  func aCancelledTimerChangesNoOther(timer: Int) async throws {
    let began = Clock.system.uptime()
    let cancelled = Task { try await wait(milliseconds: timer) }
    let later = Task { try await wait(milliseconds: 30) }
    cancelled.cancel()
    _ = await cancelled.result
    try await later.value
    #expect(Clock.system.uptime() - began >= 29)
    try await wait(milliseconds: 1)
  }

  @Test func aCancelledTimerDoesNotFire() async throws {
    let fired = EventCount()
    let cancel = timers.schedule(milliseconds: 5) { fired.add() }
    cancel()
    _ = timers.schedule(milliseconds: 5) { fired.add() }
    try await wait(milliseconds: 50)
    #expect(fired.value == 1)
  }
}
