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
    // One lane stays free.
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

  /// All lanes are blocked and one more call waits. It takes the first free lane.
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

  /// Entering and leaving an actor, and blocking, would otherwise change the thread.
  @Test func aTaskThatPrefersThePoolStaysOnOneLane() async {
    let (pool, other, visitors) = (Blocking(), Blocking(), Visitors())
    await Task(executorPreference: pool) {
      for _ in 0..<100 { await visitors.add { await other.run {} } }
    }.value
    #expect(await visitors.count == 100)
    #expect(pool.state.withLock(\.count) == 1)
    #expect(other.state.withLock(\.count) == 0)
  }

  /// The actor would otherwise be closed to other tasks while one waits for the disk.
  @Test func anActorIsFreeWhileItsCallerBlocks() async {
    let (pool, visitors, gate) = (Blocking(), Visitors(), DispatchSemaphore(value: 0))
    let begun = EventCount()
    let blocked = Task(executorPreference: pool) {
      await visitors.add {
        await pool.run {
          begun.add()
          gate.wait()
        }
      }
    }
    while begun.value == 0 { await Task.yield() }
    await visitors.add {}
    gate.signal()
    await blocked.value
    #expect(await visitors.count == 2)
  }

  /// The second task's first step waits for the end of the first one's, which blocks until the second has ended.
  @Test func aLaneThatBlocksHandsItsNextStepOn() async {
    let (pool, gate) = (Blocking(), DispatchSemaphore(value: 0))
    await Task(executorPreference: pool) {
      let second = Task(executorPreference: pool) { _ = gate.signal() }
      await pool.run { gate.wait() }
      await second.value
    }.value
  }

  /// The work itself waits for a step that it begins.
  @Test(.timeLimit(.minutes(1))) func aStepThatBlockingWorkBeginsRunsElsewhere() async {
    let pool = Blocking()
    let isOnTime = await Task(executorPreference: pool) {
      await pool.run {
        let gate = DispatchSemaphore(value: 0)
        Task(executorPreference: pool) { _ = gate.signal() }
        return gate.wait(timeout: .now() + .seconds(10)) == .success
      }
    }.value
    #expect(isOnTime)
  }

  /// Steps that do not block, such as the one with a server's answer, need no disk.
  @Test func aLaneIsLeftForStepsWhileTheDiskHangs() async {
    let (pool, disk, gate) = (Blocking(), Blocking(), DispatchSemaphore(value: 0))
    let (begun, done) = (EventCount(), EventCount())
    let blocked = (0..<Blocking.limit).map { _ in
      Task(executorPreference: pool) {
        await disk.run {
          begun.add()
          gate.wait()
        }
      }
    }
    while begun.value < Blocking.limit { await Task.yield() }
    let step = Task(executorPreference: pool) { _ = done.add() }
    let began = Clock.system.uptime()
    while done.value == 0, Clock.system.uptime() - began < 10_000 { await Task.yield() }
    #expect(done.value == 1)
    for _ in blocked { gate.signal() }
    for task in blocked + [step] { await task.value }
  }

  @Test func manyTasksShareTheLanes() async {
    let (pool, visitors) = (Blocking(), Visitors())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask(executorPreference: pool) { await visitors.add { await pool.run { _ = usleep(100) } } }
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
