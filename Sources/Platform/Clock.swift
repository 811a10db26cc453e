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
  package func deadline(in seconds: Int) -> Deadline { Deadline(seconds: seconds, clock: self, end: uptime() + seconds * 1000) }

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
    fileprivate let clock: Clock
    fileprivate let end: Int

    /// Seconds left, rounded up; 0 after the deadline.
    package var left: Int { max(0, (end - clock.uptime() + 999) / 1000) }
  }
}

/// A condition that one thread sets once and others look at.
package final class Flag: Sendable {
  private let value = Atomic(false)

  package init() {}

  package var isSet: Bool { value.load(ordering: .relaxed) }

  package func set() { value.store(true, ordering: .relaxed) }
}
