import Dispatch
import TestSupport
import Testing

@testable import Platform

struct ClockTests {
  private let manual = ManualClock()

  @Test func workThatIsInTimeReturnsItsValue() async throws {
    #expect(try await manual.clock.withTimeout(5) { 1 } == 1)
    #expect(try await Clock.system.withTimeout(60) { 1 } == 1)
  }

  /// The function waits until the cancelled work has ended.
  @Test func workThatIsLateIsCancelled() async throws {
    let ended = EventCount()
    let late = Task {
      try await manual.clock.withTimeout(5) {
        defer { ended.add() }
        try await Promise<Void>().value()
      }
    }
    try await manual.pauses(atLeast: 1)
    manual.advance(milliseconds: 4999)
    #expect(manual.pauses == [1])
    manual.advance(milliseconds: 1)
    #expect(try await late.value == nil)
    #expect(ended.value == 1)
  }

  @Test func lateWorkThatIgnoresItsCancellationIsLate() async throws {
    let late = Task { try await manual.clock.withTimeout(5) { _ = try? await Promise<Void>().value() } }
    try await manual.pauses(atLeast: 1)
    manual.advance(5)
    #expect(try await late.value == nil)
  }

  @Test func workOfACancelledTaskIsCancelled() async throws {
    let task = Task { try await manual.clock.withTimeout(5) { try await Promise<Void>().value() } }
    try await manual.pauses(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(manual.pauses == [])
  }

  @Test(arguments: [true, false])
  func aCancelledPauseEndsAtOnce(isSystem: Bool) async {
    let pause = Task { [clock = isSystem ? .system : manual.clock] in try await clock.sleep(seconds: 3600) }
    pause.cancel()
    await #expect(throws: CancellationError.self) { try await pause.value }
  }

  /// The caller of the second timer keeps nothing of it.
  @Test func onlyACancelledTimerDoesNotFire() async throws {
    let (fired, isHeld, end, gate) = (EventCount(), Promise<Void>(), Promise<Int>(), DispatchSemaphore(value: 0))
    // Timers fire one after another. This one holds the others back until one of them is cancelled.
    _ = Clock.system.schedule(0) {
      isHeld.settle(.success(()))
      gate.wait()
    }
    try await isHeld.value()
    Clock.system.schedule(1) { fired.add() }()
    _ = Clock.system.schedule(2) { end.settle(.success(fired.add())) }
    gate.signal()
    #expect(try await end.value() == 1)
  }

  @Test func theSystemsClockGoesOn() async throws {
    let (time, uptime) = (Clock.system.now, Clock.system.uptime())
    try await Clock.system.sleep(milliseconds: 2)
    #expect(Clock.system.uptime() >= uptime + 1)
    #expect(time > 1_700_000_000 && Clock.system.now >= time - 1)
  }
}
