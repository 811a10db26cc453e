#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the demo takes from and does to the process around it.
enum Process {
  /// SIGTERM and SIGINT end it with status 0; a client that has gone is no reason to die.
  static func prepareSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGTERM, endQuietly)
    signal(SIGINT, endQuietly)
  }

  /// Starts the watches that the options ask for; false when the system has no thread to give.
  static func watch(_ options: Options) -> Bool {
    let parent = getppid()
    let watchesParent = !options.watchesParent || DetachedThread.start { waitForEnd(ofParent: parent) }
    let watchesInput = !options.untilStdinCloses || DetachedThread.start { waitForEndOfInput() }
    return watchesParent && watchesInput
  }

  /// A process whose parent died gets another; looking four times a second is soon enough.
  private static func waitForEnd(ofParent parent: pid_t) {
    while getppid() == parent { usleep(250_000) }
    exit(0)
  }

  private static func waitForEndOfInput() {
    var byte: UInt8 = 0
    while true {
      let count = read(0, &byte, 1)
      if count == 0 || (count < 0 && errno != EINTR) { exit(0) }
    }
  }

  /// Writes all of the text; what can't be written is lost, there being nobody to tell.
  static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Unix milliseconds.
  static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }

  /// 192 random bits in base64url: more than RFC 6749 §10.10 asks of a token.
  static func randomText() -> String {
    var generator = SystemRandomNumberGenerator()
    return Base64.urlEncode((0..<24).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }
}

private func endQuietly(_ signal: Int32) { _exit(0) }

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
