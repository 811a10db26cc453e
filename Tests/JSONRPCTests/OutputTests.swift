import JSONRPC
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct OutputTests {
  /// What one thread changes and another one reports.
  private final class Account: Sendable {
    let state = Atomic(0)
    let isForgotten = Atomic(false)
  }

  /// Returns a message that names its sender and whose bytes the test can predict.
  private func message(_ sender: Int, _ number: Int) -> [UInt8] {
    Array("{\(sender),\(number),\(String(repeating: "x", count: (sender * 7919 + number * 104_729) % 20_000))}".utf8)
  }

  private func send(_ output: Output, senders: Int, messages: Int) async {
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<senders {
        group.addTask {
          for number in 0..<messages {
            output.send(message(sender, number))
            if number % 8 == 0 { await Task.yield() }
          }
        }
      }
    }
  }

  private func expectAll(_ bytes: [UInt8], _ framing: Framing, senders: Int, messages: Int) {
    var next = [Int](repeating: 0, count: senders)
    for frame in FrameDecoder.frames(in: bytes) {
      let sender = Int(frame.short.dropFirst(3).prefix { $0 != "," }) ?? -1
      guard case .message(let bytes, framing) = frame, next.indices.contains(sender), bytes == message(sender, next[sender]) else {
        Issue.record("a frame is broken or out of order")
        return
      }
      next[sender] += 1
    }
    #expect(next == [Int](repeating: messages, count: senders))
  }

  /// Without a backlog, the oldest one always goes on, so that no two wait for each other.
  @Test func bodiesInMemoryShareTheLimit() {
    let output = Output.unused
    var oldest: Output.Body? = Output.Body(output)
    let (second, third) = (Output.Body(output), Output.Body(output))
    #expect(oldest?.mayHave(40 << 20) == true && second.mayHave(24 << 20))
    #expect(!second.mayHave((24 << 20) + 1) && !third.mayHave(1 << 20) && third.mayHave(16 << 10))
    #expect(oldest?.mayHave(80 << 20) == true)
    oldest = nil
    #expect(third.mayHave(40 << 20) && !third.mayHave((40 << 20) + 1) && second.mayHave(80 << 20))
  }

  @Test(arguments: Framing.allCases)
  func framesOfManyTasksAreNeverMixed(framing: Framing) async {
    let pipe = Pipe()
    let output = Output(descriptor: pipe.writeEnd, pinned: framing)
    output.onBroken { Issue.record("broken") }
    await send(output, senders: 16, messages: 40)
    let bytes = await blocking {
      output.flush()
      return pipe.finish()
    }
    expectAll(bytes, framing, senders: 16, messages: 40)
    #expect(output.pendingBytes == 0)
  }

  @Test func aPipeThatDoesNotBlockLosesNothing() async {
    let pipe = Pipe(reads: false)
    #expect(fcntl(pipe.writeEnd, F_SETFL, fcntl(pipe.writeEnd, F_GETFL) | O_NONBLOCK) == 0)
    let output = Output(descriptor: pipe.writeEnd, pinned: nil)
    output.onBroken { Issue.record("broken") }
    // Sends far more than a pipe holds before the test reads.
    await send(output, senders: 4, messages: 40)
    #expect(output.pendingBytes > 100_000)
    pipe.startReading()
    let bytes = await blocking {
      output.flush()
      return pipe.finish()
    }
    expectAll(bytes, .lines, senders: 4, messages: 40)
    #expect(output.pendingBytes == 0)
  }

  @Test func theReadingThreadWaitsForAReaderThatIsFarBehind() async {
    let pipe = Pipe(reads: false)
    let output = Output(descriptor: pipe.writeEnd, pinned: .lines)
    output.onBroken { Issue.record("broken") }
    for _ in 0..<96 { output.send([UInt8](repeating: 0x78, count: 1 << 20)) }
    #expect(output.isFull)
    pipe.startReading()
    let (isFull, bytes) = await blocking {
      output.waitForReader()
      let isFull = output.isFull
      output.flush()
      return (isFull, pipe.finish().count)
    }
    #expect(!isFull && bytes == 96 * ((1 << 20) + 1))
  }

  /// A task that changes an account tells its event. Answers that the reading thread gathered before must not come after it.
  @Test func aTasksFrameDoesNotOvertakeGatheredAnswers() async {
    let pipe = Pipe()
    let output = Output(descriptor: pipe.writeEnd, pinned: .lines)
    output.onBroken { Issue.record("broken") }
    let account = Account()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await blocking {
          while !account.isForgotten.load(ordering: .acquiring) {
            for _ in 0..<10 {
              output.send(Array("[0,\(account.state.load(ordering: .sequentiallyConsistent))]".utf8), fromReader: true)
            }
            output.writeGathered()
          }
        }
      }
      group.addTask {
        await blocking {
          for change in 1...300_000 {
            // Behind a long backlog, the reading thread would hardly write.
            while output.pendingBytes > 1000 { sched_yield() }
            account.state.store(change, ordering: .sequentiallyConsistent)
            output.send(Array("[1,\(change)]".utf8))
          }
          account.isForgotten.store(true, ordering: .releasing)
        }
      }
    }
    let bytes = await blocking {
      output.flush()
      return pipe.finish()
    }
    var (told, older, most) = (0, 0, 0)
    for line in bytes.split(separator: 0x0A) {
      let number = Int(String(decoding: line.dropFirst(3).dropLast(), as: UTF8.self)) ?? -1
      if line[line.startIndex + 1] == UInt8(ascii: "1") {
        (told, older) = (number, 0)
      } else if number < told {
        older += 1
        most = max(most, older)
      }
    }
    #expect(told == 300_000)
    // The reading thread may have looked at the state before one change and have sent its answer after it.
    #expect(most <= 1)
  }

  /// Short frames are written at once while the pipe has room.
  @Test(arguments: [(100, 100_000), (10_000, 1000)])
  func aClientThatDoesNotReadDoesNotBlockSenders(frames: Int, size: Int) async {
    let pipe = Pipe(reads: false)
    let output = Output(descriptor: pipe.writeEnd, pinned: nil)
    // A pipe holds 64 KiB. None of these sends may wait for room.
    for _ in 0..<frames { output.send([UInt8](repeating: 0x20, count: size)) }
    #expect(output.pendingBytes > 9_000_000)
    pipe.startReading()
    let count = await blocking {
      output.flush()
      return pipe.finish().count
    }
    #expect(count == frames * (size + 1))
  }

  @Test func aClosedReadEndIsReportedOnce() async {
    let pipe = Pipe(reads: false)
    let told = Mutex(0)
    let output = Output(descriptor: pipe.writeEnd, pinned: nil)
    output.onBroken { told.withLock { $0 += 1 } }
    pipe.closeReadEnd()
    for number in 0..<10 { output.send(message(1, number), fromReader: number % 2 == 0) }
    await blocking { output.flush() }
    #expect(told.withLock { $0 } == 1)
    #expect(output.pendingBytes == 0)
    close(pipe.writeEnd)
  }

  @Test func aReaderThatHangsUpInTheMiddleIsReportedOnce() async {
    let pipe = Pipe(reads: false)
    let told = Mutex(0)
    let output = Output(descriptor: pipe.writeEnd, pinned: nil)
    output.onBroken { told.withLock { $0 += 1 } }
    for _ in 0..<10 { output.send([UInt8](repeating: 0x20, count: 100_000)) }
    #expect(told.withLock { $0 } == 0)
    pipe.closeReadEnd()
    await blocking { output.flush() }
    #expect(told.withLock { $0 } == 1)
    close(pipe.writeEnd)
  }

  @Test func answersFollowTheFramingThatWasReadLast() async throws {
    let request = #"{"jsonrpc":"2.0","id":1,"method":"get_data"}"#
    let answer = #"{"jsonrpc":"2.0","id":1,"result":{"value":["hello",5]}}"#
    let peer = PipePeer()
    peer.sendRaw("\(request)\n\(framed(request))\(framed(request))\(request)\n" + framed("x") + "x\nX-Y: z\n\n")
    let found = try await peer.finishFrames().map(\.short)
    #expect(found.prefix(4) == ["l:\(answer)", "h:\(answer)", "h:\(answer)", "l:\(answer)"])
    #expect(found.dropFirst(4).map { String($0.prefix(1)) } == ["h", "l", "h"])
  }

  @Test(arguments: Framing.allCases)
  func aPinnedFramingStays(framing: Framing) async throws {
    let request = #"{"jsonrpc":"2.0","id":1,"method":"sum"}"#
    let peer = PipePeer(pinned: framing)
    peer.sendRaw("\(request)\n\(framed("1"))\n\(framed("\u{FF}"))\n")
    let found = try await peer.finishFrames().map { String($0.short.prefix(1)) }
    #expect(found.count >= 3 && found.allSatisfy { $0 == framing.rawValue.prefix(1) })
  }
}
