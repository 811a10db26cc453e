import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

@Suite struct DeadlinesTests {
  private func instant(_ seconds: Int) -> Int { 7 + seconds * 1000 }

  @Test func theEarliestComesFirst() {
    var deadlines = CurlLoop.Deadlines()
    #expect(deadlines.earliest == nil)
    for id in 0..<1000 { deadlines.set(instant(id * 7919 % 1000), for: id) }
    #expect(deadlines.earliest == instant(0))
    // Every third deadline is removed, every fifth is changed, and every seventh is set to nil.
    for id in stride(from: 0, to: 1000, by: 3) { deadlines.remove(id) }
    for id in stride(from: 0, to: 1000, by: 5) { deadlines.set(instant(2000 - id), for: id) }
    for id in stride(from: 0, to: 1000, by: 7) { deadlines.set(nil, for: id) }
    var expected: [Int: Int] = [:]
    for id in 0..<1000 where id % 7 != 0 {
      if id % 5 == 0 { expected[id] = 2000 - id } else if id % 3 != 0 { expected[id] = id * 7919 % 1000 }
    }
    #expect(deadlines.count == expected.count)
    var taken: [Int] = []
    while let earliest = deadlines.earliest, let id = deadlines.takeOverdue(at: earliest) { taken.append(id) }
    #expect(taken.count == expected.count)
    #expect(taken.map { expected[$0] } == expected.values.sorted().map { Int?($0) })
    #expect(deadlines.count == 0)
  }

  @Test func onlyWhatIsOverdueIsTaken() {
    var deadlines = CurlLoop.Deadlines()
    deadlines.set(instant(1), for: 1)
    deadlines.set(instant(2), for: 2)
    #expect(deadlines.takeOverdue(at: instant(0)) == nil)
    #expect(deadlines.takeOverdue(at: instant(1)) == 1)
    #expect(deadlines.takeOverdue(at: instant(1)) == nil)
    deadlines.remove(3)
    #expect(deadlines.takeOverdue(at: instant(2)) == 2)
  }
}
