#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// HTTP by the system's libcurl, which brings every kind of proxy, HTTP/2, compression, and TLS kept safe by the system's updates.
///
/// All exchanges of a client run on one thread of its own, started by the first of them and ended when it has long been idle.
/// `Sink.stream` and `progress` are called on that thread, so they must not block.
package final class CurlClient: HTTPClient {
  private let mailbox = CurlMailbox()
  private let settings: CurlSettings

  /// - Parameters:
  ///   - version: the program's, for the `User-Agent` of requests that have none.
  ///   - environment: looks up no_proxy, NO_PROXY, CURL_CA_BUNDLE, SSL_CERT_FILE and SSL_CERT_DIR; the proxies themselves are read by libcurl.
  package init(version: String, environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }) {
    settings = CurlSettings(version: version, environment: environment)
  }

  deinit { mailbox.close() }

  package func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let host = try request.checkedHost()
    if Task.isCancelled { throw .cancelled }
    let id = mailbox.newID()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { answer in
        post(.begin(id: id, request, host: host, answer))
        // Cancelled in between, before there was anything to cancel: the handler below has come too early.
        if Task.isCancelled { post(.cancel(id: id)) }
      }
    } onCancel: {
      post(.cancel(id: id))
    }
    return try result.get()
  }

  private func post(_ command: CurlMailbox.Command) {
    if mailbox.post(command) { CurlThread.start(mailbox, settings) }
  }
}
