import CCurl
import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The thread of a `CurlClient`. Only this thread uses libcurl's handles, because a handle belongs to one thread at a time.
enum CurlThread {
  /// In bytes. TLS handshakes need about 100 KB.
  private static let stackSize = 1 << 20

  static func start(_ mailbox: CurlMailbox, _ settings: CurlSettings) {
    let code = Thread.start(stackSize: stackSize) { run(mailbox, settings) }
    if code != 0 { mailbox.fail("no thread for libcurl could be started: \(String(cString: strerror(code)))") }
  }

  private static func run(_ mailbox: CurlMailbox, _ settings: CurlSettings) {
    var reason = [CChar](repeating: 0, count: 256)
    guard ccurl_open(&reason, reason.count) == 0 else {
      return mailbox.fail(reason.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" })
    }
    guard let loop = CurlLoop(mailbox, settings) else { return mailbox.fail("libcurl would not start: out of memory") }
    loop.run()
  }
}
