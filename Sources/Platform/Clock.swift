import Dispatch
import Synchronization

/// The time of day, a monotonic clock, and pauses. The program has one clock; a test moves its own by hand.
package struct Clock: Sendable {
  /// Unix milliseconds. The user may set this time forward and back.
  package let milliseconds: @Sendable () -> Int
  /// Milliseconds since a fixed moment. Setting the time of day does not change them, and they count while the machine sleeps.
  package let uptime: @Sendable () -> Int
  package let schedule: @Sendable (_ milliseconds: Int, _ fire: @escaping @Sendable () -> Void) -> Cancel

  /// Cancels a timer. It may be firing already.
  package typealias Cancel = @Sendable () -> Void

  /// `schedule` calls `fire` once, on any thread, after that many milliseconds. `fire` must not block, because other timers wait for it.
  package init(
    milliseconds: @escaping @Sendable () -> Int, uptime: @escaping @Sendable () -> Int,
    schedule: @escaping @Sendable (_ milliseconds: Int, _ fire: @escaping @Sendable () -> Void) -> Cancel
  ) {
    (self.milliseconds, self.uptime, self.schedule) = (milliseconds, uptime, schedule)
  }

  /// Unix seconds.
  package var now: Int { milliseconds() / 1000 }

  /// Waits; throws `CancellationError` as soon as the task is cancelled.
  package func sleep(milliseconds: Int) async throws {
    let end = Promise<Void>()
    let cancel = schedule(milliseconds) { end.settle(.success(())) }
    defer { cancel() }
    try await end.value()
  }

  package func sleep(seconds: Int) async throws { try await sleep(milliseconds: seconds * 1000) }

  /// How long cancelled work may take to end, in milliseconds.
  private static let leavingMilliseconds = 250

  /// Returns the result of `work`, or nil after `seconds`. The work is then cancelled, also if the caller is.
  /// Work that does not end at once, because it waits for a keyring or a database, goes on alone.
  package func withTimeout<Value: Sendable>(_ seconds: Int, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value? {
    let end = Promise<Value>()
    let task = Task {
      do { end.settle(.success(try await work())) } catch { end.settle(.failure(error)) }
    }
    let leave = { @Sendable in
      task.cancel()
      _ = Self.system.schedule(Self.leavingMilliseconds) { end.settle(.failure(CancellationError())) }
    }
    let cancel = schedule(seconds * 1000, leave)
    defer { cancel() }
    // A task of its own, which the caller's cancellation does not reach: the work has a moment to end.
    let waiting = Task { try await end.value() }
    let result = await withTaskCancellationHandler {
      await waiting.result
    } onCancel: {
      leave()
    }
    // Work that came too late may return something all the same.
    return task.isCancelled && !Task.isCancelled ? nil : try result.get()
  }
}

extension Clock {
  /// Returns the time in this many seconds.
  package func deadline(in seconds: Int) -> Deadline { Deadline(in: seconds, self) }

  /// Returns the date and the time of day in UTC, such as `2026-01-31` and `23:59:59`.
  package static func utc(_ seconds: Int) -> (date: String, time: String) {
    var seconds = time_t(seconds)
    var fields = tm()
    gmtime_r(&seconds, &fields)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return (
      "\(Int(fields.tm_year) + 1900)-\(two(fields.tm_mon + 1))-\(two(fields.tm_mday))",
      "\(two(fields.tm_hour)):\(two(fields.tm_min)):\(two(fields.tm_sec))"
    )
  }

  /// The machine's clock.
  package static let system = Clock(milliseconds: { read(CLOCK_REALTIME) }, uptime: { read(growing) }, schedule: timer)

  #if canImport(Glibc)
    private static let growing = CLOCK_BOOTTIME
  #else
    private static let growing = CLOCK_MONOTONIC
  #endif
  private static let queue = DispatchQueue(label: "timers")

  /// Not `Task.sleep`: a cancelled one keeps its memory and still wakes the process when its time has come.
  @Sendable private static func timer(milliseconds: Int, fire: @escaping @Sendable () -> Void) -> Cancel {
    let timer = Mutex(DispatchSource.makeTimerSource(queue: queue))
    let cancel = { @Sendable in timer.withLock { $0.cancel() } }
    timer.withLock { source in
      source.schedule(deadline: .now() + .milliseconds(milliseconds))
      // The handler keeps the timer until it has fired or is cancelled.
      source.setEventHandler {
        fire()
        cancel()
      }
      source.activate()
    }
    return cancel
  }

  private static func read(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  /// The time by which a request needs its response, from its beginning. Intermediate waiting and changes of the wall clock do not move it.
  package struct Deadline: Sendable {
    /// The whole time in seconds.
    package let seconds: Int
    private let clock: Clock
    private let end: Int

    init(in seconds: Int, _ clock: Clock) {
      (self.seconds, self.clock) = (seconds, clock)
      end = clock.uptime() + seconds * 1000
    }

    /// Seconds left, rounded up; 0 after the deadline.
    package var left: Int { max(0, (end - clock.uptime() + 999) / 1000) }
  }
}

/// A value that is settled once and that several waiters can await. A cancelled waiter affects neither the work nor the other waiters.
package final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var outcome: Result<Value, any Error>?
    var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
    var next = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Number of waiters.
  package var waiting: Int { state.withLock { $0.waiters.count } }

  /// Settles the promise. Only the first outcome counts; returns whether it was this one.
  @discardableResult package func settle(_ outcome: Result<Value, any Error>) -> Bool {
    let waiters = state.withLock { state -> [CheckedContinuation<Value, any Error>]? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters ?? [] { waiter.resume(with: outcome) }
    return waiters != nil
  }

  /// Returns the value; throws `CancellationError` as soon as the waiting task is cancelled.
  package func value() async throws -> Value {
    let number = state.withLock { state -> Int in
      defer { state.next += 1 }
      return state.next
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Result<Value, any Error>? in
          if let outcome = state.outcome { return outcome }
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiters[number] = continuation
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
      waiter?.resume(throwing: CancellationError())
    }
  }
}

/// A condition that one thread sets once and others look at.
package final class Flag: Sendable {
  private let value = Atomic(false)

  package init() {}

  package var isSet: Bool { value.load(ordering: .relaxed) }

  package func set() { value.store(true, ordering: .relaxed) }
}

/// Runs at most one piece of work for each key. Callers that come meanwhile share its result.
///
/// The work runs in a task of its own: the cancellation of one caller affects neither the work nor the other callers.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let flights = Mutex<[Key: Promise<Value>]>([:])

  package init() {}

  package var isEmpty: Bool { flights.withLock { $0.isEmpty } }

  /// Returns the result of the running work; nil if none runs for the key.
  package func running(_ key: Key) -> Promise<Value>? { flights.withLock { $0[key] } }

  /// Returns the result of the running work, or starts `work` if none runs.
  package func value(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await join(key, work).value()
  }

  /// Joins the running work, or starts `work` if none runs. Does not wait.
  package func join(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) -> Promise<Value> {
    let (flight, isNew) = flights.withLock { flights -> (Promise<Value>, Bool) in
      if let running = flights[key] { return (running, false) }
      let flight = Promise<Value>()
      flights[key] = flight
      return (flight, true)
    }
    guard isNew else { return flight }
    Task { [self] in
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      // A caller that has the result and asks again starts new work.
      flights.withLock { $0[key] = nil }
      flight.settle(result)
    }
    return flight
  }
}
