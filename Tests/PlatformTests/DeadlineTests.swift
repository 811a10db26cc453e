import Testing

@testable import Platform

struct DeadlineTests {
  @Test func secondsThatHaveBegunCountWhole() async throws {
    let deadline = Deadline(in: 2)
    #expect(deadline.left == 2 && deadline.seconds == 2)
    try await Task.sleep(for: .milliseconds(1050))
    #expect(deadline.left == 1)
    try await Task.sleep(for: .milliseconds(1000))
    #expect(deadline.left == 0)
  }
}
