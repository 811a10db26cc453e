/// The time by which a request needs its response, from its beginning. Intermediate waiting and changes of the wall clock do not move it.
package struct Deadline: Sendable {
  /// The whole time in seconds.
  package let seconds: Int
  private let clock: Clock
  private let end: Int

  package init(in seconds: Int, _ clock: Clock) {
    (self.seconds, self.clock) = (seconds, clock)
    end = clock.uptime() + seconds * 1000
  }

  /// Seconds left, rounded up; 0 after the deadline.
  package var left: Int { max(0, (end - clock.uptime() + 999) / 1000) }
}
