import JSONRPC

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Standard input and output, kept for the protocol.
struct StandardStreams {
  let input: Int32 = 0
  /// Where answers go; the process's own fd 1 is stderr from here on, so that a stray print cannot break the stream.
  let output: Int32

  /// nil when standard output is closed.
  init?() {
    let kept = fcntl(1, F_DUPFD_CLOEXEC, 3)
    guard kept >= 0 else { return nil }
    output = kept
    // With stderr closed as well, nothing may take its number and be written to.
    if fcntl(2, F_GETFD) < 0 { _ = open("/dev/null", O_WRONLY) }
    guard dup2(2, 1) >= 0 else { return nil }
  }

  /// Reads until the end of input, in blocking reads on this thread; the descriptor is the parent's too, so its flags are left alone.
  /// The answers that are given at once to what one read brought go out in one write of `output`.
  ///
  /// `begin` starts what has to run beside the reading, once: before the first wait for input, and behind what lies there already, because a client
  /// that sends its first request along with the start is answered sooner without a second thread. `arrived` is told of every read.
  ///
  /// The result is the code of what kept it from reading on, where that was neither the end nor a hang-up.
  func read(
    _ decoder: inout FrameDecoder, answering output: Output, begin: () -> Void, arrived: () -> Void,
    receive: (FrameDecoder.Frame) -> Void
  ) -> Int32? {
    var fault: Int32?
    let size = 64 << 10
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    var hasBegun = !hasInput
    if hasBegun { begin() }
    while true {
      let count = readBytes(input, buffer.baseAddress, size)
      if count > 0 {
        arrived()
        decoder.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        output.gather()
        while let frame = decoder.next() { receive(frame) }
        output.release()
      } else if count == 0 {
        break
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        var wait = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        poll(&wait, 1, -1)
      } else if errno != EINTR {
        // So ends a terminal, or a socket, whose other side has gone.
        if errno != EIO, errno != ECONNRESET { fault = errno }
        break
      }
      if !hasBegun { begin() }
      hasBegun = true
    }
    if !hasBegun { begin() }
    arrived()
    while let frame = decoder.finish() { receive(frame) }
    return fault
  }

  /// Whether a read would return at once.
  private var hasInput: Bool {
    var state = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) > 0
  }

  /// Returns when nobody reads our answers any more.
  func waitForHangUp() {
    var state = pollfd(fd: output, events: 0, revents: 0)
    while poll(&state, 1, -1) < 0, errno == EINTR {}
  }
}

private func readBytes(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
