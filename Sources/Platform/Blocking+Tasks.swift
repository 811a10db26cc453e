import Dispatch
import Synchronization

/// Runs the steps of a task that blocks between them, each on a free lane: `Task(executorPreference: Blocking())`.
///
/// An actor is free while its caller blocks in `run`, because that method belongs to no actor.
extension Blocking: TaskExecutor {
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    guard let lane = Lane.current, lane.keep(job, of: self) else { return begin(job) }
  }

  private func begin(_ job: UnownedJob) {
    start { [self] in
      Lane.current?.run(job, on: asUnownedTaskExecutor())
      return {}
    }
  }

  /// What a lane does for tasks.
  final class Lane: Sendable {
    private enum Next {
      /// The lane runs no step of a task.
      case closed
      case none
      case step(UnownedJob)
    }

    private static let key = DispatchSpecificKey<Lane>()

    unowned let pool: Blocking
    /// The step after the running one, which is usually of the same task: entering or leaving an actor begins a step.
    /// With each on another lane, a refresh switched threads 25 times instead of 14.
    private let next = Mutex(Next.closed)

    private init(_ pool: Blocking) { self.pool = pool }

    static func queue(of pool: Blocking) -> DispatchQueue {
      let queue = DispatchQueue(label: "blocking")
      queue.setSpecific(key: key, value: Lane(pool))
      return queue
    }

    /// The lane whose thread this is. Such a thread may block.
    static var current: Lane? { DispatchQueue.getSpecific(key: key) }

    func run(_ first: UnownedJob, on executor: UnownedTaskExecutor) {
      var step: UnownedJob? = first
      while let job = step {
        next.withLock { $0 = .none }
        job.runSynchronously(on: executor)
        step = take(leaving: .closed)
      }
    }

    /// Keeps a step for after the running one. Returns false if the lane cannot run it next.
    fileprivate func keep(_ job: UnownedJob, of pool: Blocking) -> Bool {
      guard pool === self.pool else { return false }
      return next.withLock { next in
        guard case .none = next else { return false }
        next = .step(job)
        return true
      }
    }

    /// Does work that blocks, in the middle of a step. The next step, which may be another task's, and the steps that the work begins
    /// run on other lanes.
    ///
    /// Returns nil if no lane would be left for them. An actor that one of them is to enter would be closed to all its callers until then.
    func block<Value, Failure: Error>(_ work: () throws(Failure) -> Value) -> Result<Value, Failure>? {
      defer { pool.blocked.subtract(1, ordering: .relaxed) }
      guard pool.blocked.add(1, ordering: .relaxed).newValue < Blocking.limit, isOpen else { return nil }
      if let job = take(leaving: .closed) { pool.begin(job) }
      defer { next.withLock { $0 = .none } }
      return Result { () throws(Failure) in try work() }
    }

    private var isOpen: Bool { next.withLock { if case .closed = $0 { false } else { true } } }

    private func take(leaving rest: Next) -> UnownedJob? {
      next.withLock { next in
        defer { next = rest }
        if case .step(let job) = next { return job }
        return nil
      }
    }
  }
}
