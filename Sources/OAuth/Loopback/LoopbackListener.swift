/// Receives the redirect of one sign-in on this machine (RFC 8252 section 7.3), on a thread of its own, until it is closed.
///
/// The browser's page is answered only after `handler` has returned, so that the code can be exchanged first and the page tell the truth.
package final class LoopbackListener: Sendable {
  /// The port that was bound, which is the redirect URI's.
  package let port: UInt16
  private let target: RedirectTarget
  private let mailbox: LoopbackMailbox
  private let limits: LoopbackLimits
  /// Whether the port was chosen by the provider or the user, so that the next sign-in needs the same one.
  private let isPinned: Bool

  private init(_ target: RedirectTarget, _ mailbox: LoopbackMailbox, _ limits: LoopbackLimits, isPinned: Bool) {
    port = target.port
    self.isPinned = isPinned
    self.target = target
    self.mailbox = mailbox
    self.limits = limits
  }

  deinit { mailbox.close() }

  /// Listens from the return on. `handler` is called for each redirect that is well-formed, several at a time if need be; it goes on
  /// after `close` and after the browser has left, and is cancelled by `finish` or when its time is over.
  ///
  /// `startPath` is where the browser is sent on from; connections of other users are refused, as `ownerOf` tells them.
  package static func open(
    _ address: LoopbackAddress, startPath: String = "", limits: LoopbackLimits = LoopbackLimits(),
    ownerOf: @escaping @Sendable (Int32) -> ConnectionOwner? = ConnectionOwner.ofPeer,
    remark: @escaping @Sendable (Remark) -> Void = { _ in },
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
    let result = LoopbackThread(sockets, target, limits, mailbox, ownerOf, remark, handler).start()
    guard result == 0 else {
      sockets.close()
      mailbox.socketsAreClosed()
      throw LoopbackSockets.reason("a thread could not be started", result)
    }
    return LoopbackListener(target, mailbox, limits, isPinned: address.ports != [0])
  }

  /// What the provider is told, and what its redirect must be equal to.
  package var redirectUri: String { target.redirectUri }

  /// What a browser is started with instead of the authorization URL; nil where there is none.
  package var startAddress: String? { target.startPath.isEmpty ? nil : target.origin + target.startPath }

  /// Goes on answering for a minute, so that a reloaded page or a late redirect gets the truth; a pinned port is free once a page was delivered.
  package func linger() { mailbox.linger(until: loopbackNow() + limits.afterlifeMilliseconds, endsWithPage: isPinned) }

  /// Waits, two seconds at most, until the pages under way have been taken in.
  package func settle() async { await mailbox.settle(by: loopbackNow() + limits.finishMilliseconds) }

  /// Waits until nothing is listened for and answered any more.
  package func end() async { await mailbox.end(dropsAt: .max) }

  /// Frees the port before it returns, so that the next sign-in can bind it; redirects already being handled still get their page.
  /// Safe to call again, and from within the handler.
  package func close() { mailbox.close() }

  /// Closes and waits, two seconds at most, until the pages under way have been taken in; what is left is dropped and its handler
  /// cancelled. Not to be awaited within the handler, which it would wait for.
  package func finish() async {
    mailbox.close()
    await mailbox.end(dropsAt: loopbackNow() + limits.finishMilliseconds)
  }
}
