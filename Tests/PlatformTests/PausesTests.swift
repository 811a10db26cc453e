import Testing

@testable import Platform

struct PausesTests {
  private let pauses = Pauses()

  @Test func eachPauseEndsInItsTime() async throws {
    let later = Task { try await pauses.wait(milliseconds: 40) }
    let began = Clock.system.uptime()
    // Earlier than the alarm, and again after it has fired.
    for _ in 0..<2 { try await pauses.wait(milliseconds: 5) }
    #expect(Clock.system.uptime() - began >= 10)
    try await later.value
    #expect(Clock.system.uptime() - began >= 39)
  }

  /// The alarm of a pause that ended early stays. It neither delays an earlier pause nor ends a later one.
  @Test(arguments: [5, 60_000])
  func aPauseThatEndsEarlyChangesNoOther(alarm: Int) async throws {
    let began = Clock.system.uptime()
    let cancelled = Task { try await pauses.wait(milliseconds: alarm) }
    let later = Task { try await pauses.wait(milliseconds: 30) }
    cancelled.cancel()
    _ = await cancelled.result
    try await later.value
    #expect(Clock.system.uptime() - began >= 29)
    try await pauses.wait(milliseconds: 1)
  }
}
