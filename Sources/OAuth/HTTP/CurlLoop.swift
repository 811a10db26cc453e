import CCurl

/// Carries out commands and moves all transfers on, until the client is gone or there was nothing to do for long.
final class CurlLoop {
  /// Connections kept for later: a program talks to a provider's three or four hosts, and each costs a descriptor and its TLS state.
  private static let connections = 8
  /// How long a stream whose taker is busy waits before it asks again: short beside a person's patience, long beside a processor's.
  private static let pause = Duration.milliseconds(20)
  /// After that long without work the thread ends: libcurl would use no kept connection that is older (CURLOPT_MAXAGE_CONN, 118 s).
  private static let idle = Duration.seconds(118)

  private let mailbox: CurlMailbox
  private let settings: CurlSettings
  private let multi: OpaquePointer
  private let share: OpaquePointer?
  private var transfers: [Int: CurlTransfer] = [:]
  private var triesHashedCertificates: Bool
  private var nextTry = ContinuousClock.now

  /// Nil where memory has run out.
  init?(_ mailbox: CurlMailbox, _ settings: CurlSettings) {
    guard let multi = ccurl_multi_new(Self.connections) else { return nil }
    self.mailbox = mailbox
    self.settings = settings
    self.multi = multi
    share = ccurl_share_new()
    triesHashedCertificates = settings.triesHashedCertificates
    mailbox.opened(multi)
  }

  deinit {
    ccurl_multi_free(multi)
    if let share { ccurl_share_free(share) }
  }

  func run() {
    var idleSince: ContinuousClock.Instant?
    while let commands = mailbox.take() {
      for command in commands { obey(command) }
      tryPaused()
      // Before the connections are looked at: what has come by now counts, however long this process was stopped.
      let looked = ContinuousClock.now
      ccurl_multi_perform(multi)
      endFinished()
      endOverdue(at: looked)
      guard transfers.isEmpty else {
        idleSince = nil
        let next = transfers.values.compactMap(\.deadline) + (transfers.values.contains { $0.isPaused } ? [nextTry] : [])
        wait(next.min().map { ContinuousClock.now.duration(to: $0) })
        continue
      }
      let now = ContinuousClock.now
      let since = idleSince ?? now
      idleSince = since
      if now - since >= Self.idle, mailbox.retire() { return }
      wait(Self.idle - (now - since))
    }
    for transfer in transfers.values { transfer.end(.failure(.cancelled), in: multi) }
  }

  private func obey(_ command: CurlMailbox.Command) {
    switch command {
    case .begin(let id, let request, let host, let answer):
      let transfer = CurlTransfer(request, host: host, answer)
      do throws(HTTPFailure) {
        try transfer.begin(in: multi, share, settings, hashedCertificates: triesHashedCertificates)
        transfers[id] = transfer
      } catch {
        transfer.end(.failure(error), in: multi)
      }
    case .cancel(let id):
      transfers.removeValue(forKey: id)?.end(.failure(.cancelled), in: multi)
    }
  }

  private func endFinished() {
    var easy: OpaquePointer?
    var code = 0
    while ccurl_multi_ended(multi, &easy, &code) == 1 {
      guard let (id, transfer) = transfers.first(where: { $0.value.easy == easy }) else { continue }
      if transfer.triedHashedCertificates, code == CCURL_E_PEER_FAILED_VERIFICATION || code == CCURL_E_SSL_CACERT_BADFILE {
        // A certificate may stand in the bundle alone (one added by hand, or Fedora's folder, which isn't hashed). No request was sent yet.
        triesHashedCertificates = false
        do throws(HTTPFailure) {
          try transfer.begin(in: multi, share, settings, hashedCertificates: false)
          continue
        } catch {
          transfers[id] = nil
          transfer.end(.failure(error), in: multi)
          continue
        }
      }
      transfers[id] = nil
      transfer.end(transfer.outcome(code), in: multi)
    }
  }

  private func endOverdue(at now: ContinuousClock.Instant) {
    for (id, transfer) in transfers where transfer.deadline.map({ $0 <= now }) ?? false {
      transfers[id] = nil
      transfer.end(.failure(.timedOut(host: transfer.host)), in: multi)
    }
  }

  private func tryPaused() {
    let now = ContinuousClock.now
    guard now >= nextTry else { return }
    nextTry = now + Self.pause
    for transfer in transfers.values where transfer.isPaused { transfer.tryAgain() }
  }

  /// Sleeps until something happens on a connection or a command comes, at most that long.
  private func wait(_ duration: Duration?) {
    let milliseconds = duration.map { max(0, $0.components.seconds * 1000 + $0.components.attoseconds / 1_000_000_000_000_000 + 1) }
    ccurl_multi_poll(multi, milliseconds.map { Int32(clamping: $0) } ?? .max)
  }
}
