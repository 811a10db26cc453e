import JSONRPC
import Platform

/// Standard input and output, reserved for the protocol.
package struct StandardStreams {
  let input: Int32 = 0
  /// The descriptor for answers. The process's own fd 1 is stderr from here on, so a stray print cannot break the stream.
  package let output: Int32

  /// Another descriptor for answers; -1 if no client reads any.
  package init(output: Int32) { self.output = output }

  /// nil when standard output is closed.
  package init?() {
    let duplicate = fcntl(1, F_DUPFD_CLOEXEC, 3)
    guard duplicate >= 0 else { return nil }
    output = duplicate
    // Another file with the number of a closed descriptor would be read as input, or get the log. Reading this one fails, as before.
    for closed in [0, 2] as [Int32] where fcntl(closed, F_GETFD) < 0 { _ = open("/dev/null", O_WRONLY) }
    guard dup2(2, 1) >= 0 else { return nil }
  }

  /// Reads until the end of input, with blocking reads on this thread. The parent shares the descriptor, so its flags stay unchanged.
  /// Calls `afterFrames` when all frames that a `read` has completed are received.
  ///
  /// Returns the exit status: 1 after a read that failed, which the log says. The end of input and a hang-up are no failure.
  package func feed(_ decoder: FrameDecoder, _ log: Log, receive: (FrameDecoder.Frame) -> Void, afterFrames: () -> Void) -> Int32 {
    var (decoder, status): (FrameDecoder, Int32) = (decoder, 0)
    let size = 64 << 10
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = read(input, buffer.baseAddress, size)
      if count > 0 {
        decoder.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        while let frame = decoder.next() { receive(frame) }
        afterFrames()
      } else if count == 0 {
        break
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        var wait = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        poll(&wait, 1, -1)
      } else if errno != EINTR {
        // A terminal or socket reports these when its other side is gone.
        if errno != EIO, errno != ECONNRESET {
          log.line("oauth-stdio: standard input cannot be read: \(String(cString: strerror(errno)).lowercased())")
          status = 1
        }
        break
      }
    }
    while let frame = decoder.finish() { receive(frame) }
    afterFrames()
    return status
  }

  /// Writes what a command prints, and returns the errno of a failure. Servers choose much of it, so it must not control a terminal.
  package func print(_ bytes: [UInt8]) -> Int32 {
    if isatty(output) == 1 { return PosixFile.write(String(decoding: bytes, as: UTF8.self).plainLines, to: output) }
    return bytes.withUnsafeBytes { PosixFile.write($0, to: output) }
  }

  /// Closes the output for its reader. Its number stays taken, so that no later write reaches another file.
  package func closeOutput() {
    let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard null >= 0 else { return }
    dup2(null, output)
    close(null)
  }

  /// Waits until the client closes its end of our output.
  func waitForHangUp() {
    var state = pollfd(fd: output, events: 0, revents: 0)
    while poll(&state, 1, -1) < 0, errno == EINTR {}
  }
}
