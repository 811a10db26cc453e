import TestSupport
import Testing

@testable import Platform

struct AlarmsTests {
  private let alarms = Alarms()

  private func wait(milliseconds: Int) async throws {
    try await Clock(milliseconds: { 0 }, uptime: { 0 }, alarm: alarms.set).sleep(milliseconds: milliseconds)
  }

  @Test func eachAlarmRingsInItsTime() async throws {
    let later = Task { try await wait(milliseconds: 40) }
    let began = Clock.system.uptime()
    // Earlier than the timer, and again after it has fired.
    for _ in 0..<2 { try await wait(milliseconds: 5) }
    #expect(Clock.system.uptime() - began >= 10)
    try await later.value
    #expect(Clock.system.uptime() - began >= 39)
  }

  /// The timer of an alarm that was called off stays. It neither delays an earlier alarm nor rings a later one.
  @Test(arguments: [5, 60_000])
  func anAlarmThatIsCalledOffChangesNoOther(alarm: Int) async throws {
    let began = Clock.system.uptime()
    let cancelled = Task { try await wait(milliseconds: alarm) }
    let later = Task { try await wait(milliseconds: 30) }
    cancelled.cancel()
    _ = await cancelled.result
    try await later.value
    #expect(Clock.system.uptime() - began >= 29)
    try await wait(milliseconds: 1)
  }

  @Test func anAlarmThatIsCalledOffDoesNotRing() async throws {
    let rung = EventCount()
    let callOff = alarms.set(milliseconds: 5) { rung.add() }
    callOff()
    _ = alarms.set(milliseconds: 5) { rung.add() }
    try await wait(milliseconds: 50)
    #expect(rung.value == 1)
  }
}
