import CCurl

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The thread of a `CurlClient`: it alone touches libcurl's handles, which belong to one thread at a time.
enum CurlThread {
  /// Bytes of stack: TLS handshakes need some 100 KB, and the usual 8 MB would count against limits on address space.
  private static let stack = 1 << 20

  static func start(_ mailbox: CurlMailbox, _ settings: CurlSettings) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stack)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let luggage = Unmanaged.passRetained(CurlLuggage(mailbox: mailbox, settings: settings))
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let code = pthread_create(&thread, &attributes, curlThread, luggage.toOpaque())
    if code != 0 {
      luggage.release()
      mailbox.fail("no thread for libcurl could be started: \(String(cString: strerror(code)))")
    }
  }

  fileprivate static func run(_ mailbox: CurlMailbox, _ settings: CurlSettings) {
    // Signals are the main thread's business, and a connection that broke must not end the program (SIGPIPE).
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    var reason = [CChar](repeating: 0, count: 256)
    guard ccurl_open(&reason, reason.count) == 0 else {
      return mailbox.fail(reason.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" })
    }
    guard let loop = CurlLoop(mailbox, settings) else { return mailbox.fail("libcurl would not start: out of memory") }
    loop.run()
  }
}

/// What a new thread is given.
private final class CurlLuggage: Sendable {
  let mailbox: CurlMailbox
  let settings: CurlSettings

  init(mailbox: CurlMailbox, settings: CurlSettings) {
    self.mailbox = mailbox
    self.settings = settings
  }
}

#if canImport(Glibc)
  private func curlThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let luggage = Unmanaged<CurlLuggage>.fromOpaque(argument).takeRetainedValue()
    CurlThread.run(luggage.mailbox, luggage.settings)
    return nil
  }
#else
  private func curlThread(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let luggage = Unmanaged<CurlLuggage>.fromOpaque(argument).takeRetainedValue()
    CurlThread.run(luggage.mailbox, luggage.settings)
    return nil
  }
#endif
