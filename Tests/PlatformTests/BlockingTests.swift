import Dispatch
import TestSupport
import Testing

@testable import Platform

struct BlockingTests {
  private struct Fault: Error {}

  @Test func blockingCallsDelayNeitherTasksNorOtherCalls() async throws {
    let pool = Blocking()
    let gate = DispatchSemaphore(value: 0)
    let begun = EventCount()
    // One queue stays free.
    let blocked = (1..<Blocking.limit).map { number in
      Task {
        try await pool.run { () throws(Fault) in
          begun.add()
          gate.wait()
          return number
        }
      }
    }
    while begun.value < Blocking.limit - 1 { await Task.yield() }
    for number in 0..<100 { #expect(try await pool.run { () throws(Fault) in number } == number) }
    for _ in blocked { gate.signal() }
    for (index, task) in blocked.enumerated() { #expect(try await task.value == index + 1) }
  }

  /// All queues are blocked and one more call waits. It takes the first free queue.
  @Test func whatWaitsTakesTheFirstLaneThatIsFree() async throws {
    let pool = Blocking()
    let gates = (0..<Blocking.limit).map { _ in DispatchSemaphore(value: 0) }
    let begun = EventCount()
    let blocked = gates.map { gate in
      Task {
        await pool.run {
          begun.add()
          gate.wait()
        }
      }
    }
    while begun.value < Blocking.limit { await Task.yield() }
    let waiting = Task { await pool.run { 5 } }
    while pool.state.withLock({ $0.waiting.isEmpty }) { await Task.yield() }
    gates[Blocking.limit - 1].signal()
    #expect(await waiting.value == 5)
    for gate in gates.dropLast() { gate.signal() }
    for task in blocked { await task.value }
  }

  @Test func manyTasksShareTheLanes() async {
    let (pool, visitors) = (Blocking(), Visitors())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask { await visitors.add { await pool.run { _ = usleep(100) } } }
      }
    }
    #expect(await visitors.count == 100)
    #expect(pool.state.withLock(\.count) <= Blocking.limit)
  }

  @Test func aFailureComesBack() async {
    await #expect(throws: Fault.self) {
      try await Blocking.run { () throws(Fault) in throw Fault() }
    }
  }
}

private actor Visitors {
  private(set) var count = 0

  func add(_ work: @Sendable () async -> Void) async {
    count += 1
    await work()
  }
}
