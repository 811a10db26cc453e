import TestSupport
import Testing

@testable import Platform

struct SingleFlightTests {
  private struct Fault: Error {}

  private let flights = SingleFlight<Int>()
  private let begun = EventCount()
  private let gate = Promise<Int>()

  private func fly(_ key: String = "a") -> Task<Int, any Error> {
    Task {
      try await flights.value(key) {
        begun.add()
        return try await gate.value()
      }
    }
  }

  private func waiting(_ count: Int) async { while flights.running("a")?.waiting != count { await Task.yield() } }

  @Test func callersShareTheWork() async throws {
    let (one, other) = (fly(), fly())
    await waiting(2)
    gate.settle(.success(7))
    #expect(try await one.value == 7)
    #expect(try await other.value == 7)
    #expect(begun.value == 1 && flights.running("a") == nil)
  }

  @Test func otherKeysHaveWorkOfTheirOwn() async throws {
    let (one, other) = (fly("a"), fly("b"))
    gate.settle(.success(7))
    _ = (try await one.value, try await other.value)
    #expect(begun.value == 2)
  }

  /// The caller that started the work is cancelled, and the work goes on for the other.
  @Test func aCancelledCallerStopsNoOther() async throws {
    let first = fly()
    await waiting(1)
    let second = fly()
    await waiting(2)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.settle(.success(7))
    #expect(try await second.value == 7)
    #expect(begun.value == 1)
  }

  @Test func aFailureIsSharedAndNotRemembered() async throws {
    let first = fly()
    await waiting(1)
    gate.settle(.failure(Fault()))
    await #expect(throws: Fault.self) { try await first.value }
    #expect(try await flights.value("a") { 8 } == 8)
  }
}
