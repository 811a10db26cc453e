import Testing

@testable import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

struct ThreadTests {
  /// The starter blocks nothing here, so an inherited mask would show.
  @Test func theThreadReceivesNoSignals() async throws {
    let masks = Promise<[Bool]>()
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    let result = Thread.start {
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      masks.settle(.success([SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGCHLD].map { sigismember(&mask, $0) == 1 }))
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    try #require(result == 0)
    #expect(try await masks.value() == [Bool](repeating: true, count: 5))
  }

  /// A smaller stack would end the process.
  @Test func theStackHasTheGivenSize() async throws {
    let depth = Promise<UInt>()
    try #require(Thread.start(stackSize: 16 << 20) { depth.settle(.success(Self.descend(12 << 20, from: nil))) } == 0)
    #expect(try await depth.value() >= 12 << 20)
  }

  @Test func aThreadThatCannotStartIsReported() {
    #expect(Thread.start(stackSize: 1 << 50) {} == EAGAIN)
  }

  /// Calls itself until the stack has this many bytes more. Returns their number.
  private static func descend(_ bytes: UInt, from top: UInt?) -> UInt {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { room in
      let here = UInt(bitPattern: room.baseAddress)
      let used = (top ?? here) - here
      return used >= bytes ? used : max(used, descend(bytes, from: top ?? here))
    }
  }
}
