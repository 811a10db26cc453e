import OAuthCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Sends HTTP requests with the system's libcurl. It supports every kind of proxy, HTTP/2, compression, and TLS that system updates keep secure.
///
/// All exchanges of a client run on one separate thread. The first exchange starts it, and it ends after a long idle time.
/// `Sink.stream` and `progress` are called on that thread, so they must not block.
package final class CurlClient: HTTPClient {
  private let mailbox = CurlMailbox()
  private let settings: CurlSettings

  /// - Parameters:
  ///   - version: the program's, for the `User-Agent` of requests without one.
  ///   - environment: looks up no_proxy, NO_PROXY, CURL_CA_BUNDLE, SSL_CERT_FILE and SSL_CERT_DIR. libcurl reads the proxies itself.
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
        // The task was cancelled before the request was posted, so the handler below ran too early.
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
