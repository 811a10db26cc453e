/// The time by which a request needs its response, from its beginning. Intermediate waiting and changes of the wall clock do not move it.
package struct Deadline: Sendable {
  /// The whole time in seconds.
  package let seconds: Int
  private let end: ContinuousClock.Instant

  package init(in seconds: Int) {
    self.seconds = seconds
    end = .now + .seconds(seconds)
  }

  /// Seconds left, rounded up; 0 after the deadline.
  package var left: Int {
    let left = ContinuousClock.now.duration(to: end).components
    return left.seconds < 0 || left.attoseconds < 0 ? 0 : Int(left.seconds) + (left.attoseconds > 0 ? 1 : 0)
  }
}
