import OAuthCore

/// Receives the redirect of one sign-in on this machine (RFC 8252 section 7.3), on a separate thread, until it is closed.
///
/// The browser gets its page only after `handler` has returned. The code is exchanged first, so the page shows the real outcome.
package final class LoopbackListener: Sendable {
  /// The bound port, which is the redirect URI's.
  package let port: UInt16
  private let target: RedirectTarget
  private let mailbox: LoopbackMailbox
  private let limits: LoopbackLimits
  /// Whether the provider or the user fixed the port. The next sign-in then needs the same one.
  private let isPinned: Bool

  private init(_ target: RedirectTarget, _ mailbox: LoopbackMailbox, _ limits: LoopbackLimits, isPinned: Bool) {
    port = target.port
    self.isPinned = isPinned
    self.target = target
    self.mailbox = mailbox
    self.limits = limits
  }

  deinit { mailbox.close() }

  /// Opens the listener and returns once it is listening. `handler` is called for each well-formed redirect, concurrently if necessary.
  /// A handler continues after `close` and after the browser has disconnected. `finish` and its time limit cancel it.
  ///
  /// The browser is redirected from `startPath`. Connections of other users, as `ownerOf` reports them, are rejected.
  package static func open(
    _ address: LoopbackAddress, startPath: String = "", limits: LoopbackLimits = LoopbackLimits(),
    ownerOf: @escaping @Sendable (Int32) -> ConnectionOwner? = ConnectionOwner.ofPeer,
    log: @escaping @Sendable (LogMessage) -> Void = { _ in },
    handler: @escaping @Sendable (RedirectRequest) async -> RedirectAnswer
  ) throws(LoopbackFailure) -> LoopbackListener {
    guard address.isPathUsable else { throw .unavailable(reason: "the redirect path is not a plain absolute path") }
    let mailbox = try LoopbackMailbox()
    let sockets: LoopbackSockets
    do {
      sockets = try LoopbackSockets.bind(address)
    } catch {
      mailbox.socketsAreClosed()
      throw error
    }
    let target = RedirectTarget(address, port: sockets.port, startPath: startPath)
    let result = LoopbackThread(sockets, target, limits, mailbox, ownerOf, log, handler).start()
    guard result == 0 else {
      sockets.close()
      mailbox.socketsAreClosed()
      throw LoopbackSockets.reason("a thread could not be started", result)
    }
    return LoopbackListener(target, mailbox, limits, isPinned: address.ports != [0])
  }

  /// The redirect URI that is sent to the provider.
  package var redirectUri: String { target.redirectUri }

  /// The URL that the browser opens instead of the authorization URL; nil without a start path.
  package var startAddress: String? { target.startPath.isEmpty ? nil : target.origin + target.startPath }

  /// Keeps responding for a minute, so that a reloaded page or a late redirect gets a true response. A pinned port is freed once a page was
  /// delivered.
  package func linger() { mailbox.linger(until: loopbackNow() + limits.afterlifeMilliseconds, endsWithPage: isPinned) }

  /// Waits for the responses in progress, at most two seconds.
  package func settle() async { await mailbox.settle(by: loopbackNow() + limits.finishMilliseconds) }

  /// Waits until the listener is closed and every response has ended.
  package func end() async { await mailbox.end(dropsAt: .max) }

  /// Closes the port before it returns, so that the next sign-in can bind it. Redirects in progress still get their page.
  /// May be called repeatedly, and within the handler.
  package func close() { mailbox.close() }

  /// Closes the listener and waits for the responses in progress, at most two seconds. Then drops the rest and cancels their handlers.
  /// Must not be awaited within the handler, because it waits for the handler.
  package func finish() async {
    mailbox.close()
    await mailbox.end(dropsAt: loopbackNow() + limits.finishMilliseconds)
  }
}
