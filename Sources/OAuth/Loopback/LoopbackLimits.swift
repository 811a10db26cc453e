/// Limits for a visitor of the loopback address. Tests pass smaller ones.
package struct LoopbackLimits: Sendable {
  /// Bytes of request line and header fields. Providers send codes of 2 to 4 KiB, and most servers allow 16 KiB.
  package var headBytes = 16 * 1024
  /// Bytes of a `form_post` body, which may carry an ID token with many claims.
  package var bodyBytes = 64 * 1024
  /// Milliseconds from accepting the connection to the end of the request.
  package var requestMilliseconds: UInt64 = 10_000
  /// Milliseconds for the handler: a code exchange of 30 s, a retry, and some reserve.
  package var handlerMilliseconds: UInt64 = 120_000
  /// Milliseconds for the browser to receive a response of a few kilobytes.
  package var writeMilliseconds: UInt64 = 5_000
  /// Milliseconds from our last byte to the browser's own close. Closing with unread input would reset the connection and lose the response.
  package var lingerMilliseconds: UInt64 = 1_000
  /// Milliseconds that `LoopbackListener.finish` waits for responses in progress.
  package var finishMilliseconds: UInt64 = 2_000
  /// Milliseconds that a listener keeps responding after its sign-in has ended: time to reload the page or to find a second tab.
  package var afterlifeMilliseconds: UInt64 = 60_000
  /// Concurrent connections. Browsers open two to six.
  package var connections = 32

  package init() {}
}
