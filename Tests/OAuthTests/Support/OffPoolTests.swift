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

  @Test func aFailureComesBack() async {
    await #expect(throws: OAuthFailure.self) {
      try await OffPool.run { () throws(OAuthFailure) in throw OAuthFailure(.storageFailure, "no") }
    }
  }
}
