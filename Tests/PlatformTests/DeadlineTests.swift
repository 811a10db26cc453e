import TestSupport
import Testing

@testable import Platform

struct DeadlineTests {
  private let clock = ManualClock()

  @Test func secondsThatHaveBegunCountWhole() {
    let deadline = clock.clock.deadline(in: 2)
    #expect(deadline.left == 2 && deadline.seconds == 2)
    clock.advance(milliseconds: 999)
    #expect(deadline.left == 2)
    clock.advance(milliseconds: 1)
    #expect(deadline.left == 1)
    clock.advance(1)
    #expect(deadline.left == 0)
    clock.advance(1)
    #expect(deadline.left == 0)
  }

  @Test func theTimeOfDayDoesNotMoveIt() {
    let deadline = clock.clock.deadline(in: 2)
    clock.setBack(100)
    #expect(deadline.left == 2)
  }
}
