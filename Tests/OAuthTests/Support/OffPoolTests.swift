import Dispatch
import Testing

@testable import OAuth

struct OffPoolTests {
  @Test func whatBlocksHoldsUpNeitherTasksNorOthers() async throws {
    let pool = OffPool()
    let gate = DispatchSemaphore(value: 0)
    let begun = EventCount()
    // One lane is left.
    let blocked = (1..<OffPool.limit).map { number in
      Task {
        try await pool.run { () throws(OAuthFailure) in
          begun.add()
          gate.wait()
          return number
        }
      }
    }
    while begun.value < OffPool.limit - 1 { await Task.yield() }
    for number in 0..<100 { #expect(try await pool.run { () throws(OAuthFailure) in number } == number) }
    for _ in blocked { gate.signal() }
    for (index, task) in blocked.enumerated() { #expect(try await task.value == index + 1) }
  }

  /// All lanes hang and one more call waits; the first lane that is free takes it.
  @Test func whatWaitsTakesTheFirstLaneThatIsFree() async throws {
    let pool = OffPool()
    let gates = (0..<OffPool.limit).map { _ in DispatchSemaphore(value: 0) }
    let begun = EventCount()
    let blocked = gates.map { gate in
      Task {
        await pool.run {
          begun.add()
          gate.wait()
        }
      }
    }
    while begun.value < OffPool.limit { await Task.yield() }
    let waiting = Task { await pool.run { 5 } }
    try await Task.sleep(for: .milliseconds(20))
    gates[OffPool.limit - 1].signal()
    #expect(try await within(5) { await waiting.value } == 5)
    for gate in gates.dropLast() { gate.signal() }
    for task in blocked { await task.value }
  }

  @Test func aFailureComesBack() async {
    await #expect(throws: OAuthFailure.self) {
      try await OffPool.run { () throws(OAuthFailure) in throw OAuthFailure(.storageFailure, "no") }
    }
  }
}
