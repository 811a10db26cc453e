import CCurl
import OAuthCore

/// Executes commands and advances all transfers until the client is deinitialized or has long been idle.
///
/// The cost of a step depends on what has happened since the last one: no step visits all transfers.
final class CurlLoop {
  /// Milliseconds that a blocked stream waits before its next attempt. Short enough for a user, long enough for a processor.
  private static let pause = 20
  /// Idle milliseconds after which the thread ends. libcurl would not reuse an older connection (CURLOPT_MAXAGE_CONN, 118 s).
  private static let idle = 118_000

  private let mailbox: CurlClient.Mailbox
  private let settings: CurlSettings
  private let multi: OpaquePointer
  private let share: OpaquePointer?
  private var transfers: [Int: CurlTransfer] = [:]
  private var deadlines = Deadlines()
  private let paused = PausedTransfers()
  private var kept: ConnectionLimit
  private var triesHashedCertificates: Bool
  /// Milliseconds of `uptime`, as all times here.
  private var nextTry = 0

  /// Returns nil if memory has run out.
  init?(_ mailbox: CurlClient.Mailbox, _ settings: CurlSettings) {
    guard let multi = ccurl_multi_new() else { return nil }
    self.mailbox = mailbox
    self.settings = settings
    self.multi = multi
    share = ccurl_share_new()
    kept = ConnectionLimit(at: settings.clock.uptime())
    triesHashedCertificates = settings.triesHashedCertificates
    ccurl_multi_keep(multi, kept.limit)
    mailbox.opened(multi)
  }

  deinit {
    mailbox.closed(multi)
    ccurl_multi_free(multi)
    if let share { ccurl_share_free(share) }
  }

  func run() {
    var idleSince: Int?
    while let commands = mailbox.take() {
      for command in commands { handle(command) }
      tryPaused()
      // Taken before `perform`: a response that has arrived counts, however long the process was suspended.
      let looked = now
      let hasSeenAll = ccurl_multi_perform(multi) != 0
      endFinished()
      if hasSeenAll { endOverdue(at: looked) }
      guard transfers.isEmpty else {
        idleSince = nil
        let next = [deadlines.earliest, paused.isEmpty ? nil : nextTry].compactMap(\.self).min()
        wait(next.map { $0 - self.now })
        continue
      }
      let now = self.now
      let since = idleSince ?? now
      idleSince = since
      if now - since >= Self.idle, mailbox.retire() { return }
      wait(Self.idle - (now - since))
    }
    for transfer in transfers.values { transfer.end(.failure(.cancelled), in: multi) }
  }

  private func handle(_ command: CurlClient.Mailbox.Command) {
    switch command {
    case .begin(let id, let request, let host, let answer):
      let transfer = CurlTransfer(id, request, host: host, paused, settings.clock, answer)
      transfers[id] = transfer
      if let limit = kept.note(transfers.count, at: now) { ccurl_multi_keep(multi, limit) }
      begin(transfer)
    case .cancel(let id):
      if let transfer = transfers[id] { end(transfer, .failure(.cancelled)) }
    }
  }

  private func begin(_ transfer: CurlTransfer) {
    do throws(HTTPFailure) {
      try transfer.begin(in: multi, share, settings, hashedCertificates: triesHashedCertificates)
      deadlines.set(transfer.deadline, for: transfer.id)
    } catch {
      end(transfer, .failure(error))
    }
  }

  private func end(_ transfer: CurlTransfer, _ result: Result<HTTPResponse, HTTPFailure>) {
    transfers[transfer.id] = nil
    deadlines.remove(transfer.id)
    transfer.end(result, in: multi)
  }

  private func endFinished() {
    var easy: OpaquePointer?
    var code = 0
    while ccurl_multi_ended(multi, &easy, &code) == 1 {
      guard let transfer = CurlTransfer.of(ccurl_get_owner(easy)) else { continue }
      if transfer.triedHashedCertificates, code == CCURL_E_PEER_FAILED_VERIFICATION || code == CCURL_E_SSL_CACERT_BADFILE {
        // A certificate may be in the bundle only (added manually, or on Fedora, whose folder isn't hashed). No request was sent yet.
        triesHashedCertificates = false
        begin(transfer)
      } else {
        end(transfer, transfer.outcome(code))
      }
    }
  }

  private func endOverdue(at now: Int) {
    while let id = deadlines.takeOverdue(at: now) {
      if let transfer = transfers[id] { end(transfer, .failure(.timedOut(host: transfer.host))) }
    }
  }

  private func tryPaused() {
    let now = self.now
    guard now >= nextTry else { return }
    nextTry = now + Self.pause
    for transfer in paused.all { transfer.tryAgain() }
  }

  private var now: Int { settings.clock.uptime() }

  /// Waits for activity on a connection or for a command, at most this many milliseconds.
  private func wait(_ milliseconds: Int?) {
    ccurl_multi_wait(multi, milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1)
  }

  /// The transfers whose stream did not accept the last piece.
  final class PausedTransfers {
    private var transfers: [Int: CurlTransfer] = [:]

    var isEmpty: Bool { transfers.isEmpty }
    var all: [CurlTransfer] { Array(transfers.values) }

    func note(_ transfer: CurlTransfer) { transfers[transfer.id] = transfer.isPaused ? transfer : nil }
  }

  /// How many connections libcurl keeps open: the recent maximum of concurrent transfers.
  /// With fewer, concurrent calls would close each other's connections and open new ones.
  struct ConnectionLimit {
    /// A program uses a provider's three or four hosts. Each connection costs a descriptor and its TLS state.
    static let least = 8
    /// Milliseconds. A shorter lull closes no connection.
    private static let period = 10_000

    private(set) var limit = Self.least
    private var highest = 0
    /// The maximum of the previous period.
    private var before = 0
    private var began: Int

    /// Times are milliseconds of `uptime`.
    init(at now: Int) { began = now }

    /// Records the number of transfers in progress. Returns the new limit if it changes.
    mutating func note(_ transfers: Int, at now: Int) -> Int? {
      if now - began >= Self.period {
        before = now - began < Self.period * 2 ? highest : 0
        (highest, began) = (0, now)
      }
      highest = max(highest, transfers)
      let wanted = max(Self.least, highest, before)
      guard wanted != limit else { return nil }
      limit = wanted
      return wanted
    }
  }
}

extension CurlLoop {
  /// The deadlines of the transfers, earliest first. Finding one takes a number of steps that hardly grows with the number of transfers.
  struct Deadlines {
    /// In milliseconds of `uptime`, as all times here.
    private typealias Entry = (instant: Int, id: Int)

    /// Latest first, so that the earliest is removed without moving the others.
    private var sorted: [Entry] = []
    /// The instant of each id. An ended transfer is removed at once: a limit of an hour must not use memory for an hour.
    private var instants: [Int: Int] = [:]

    var earliest: Int? { sorted.last?.instant }
    var count: Int { sorted.count }

    /// Replaces the id's deadline; nil removes it.
    mutating func set(_ instant: Int?, for id: Int) {
      remove(id)
      guard let instant else { return }
      instants[id] = instant
      sorted.insert((instant, id), at: place(of: (instant, id)))
    }

    mutating func remove(_ id: Int) {
      guard let instant = instants.removeValue(forKey: id) else { return }
      sorted.remove(at: place(of: (instant, id)))
    }

    /// Removes and returns an id whose deadline is not after `now`.
    mutating func takeOverdue(at now: Int) -> Int? {
      guard let first = sorted.last, first.instant <= now else { return nil }
      remove(first.id)
      return first.id
    }

    /// Returns the index of the entry, or where it belongs.
    private func place(of entry: Entry) -> Int {
      var range = 0..<sorted.count
      while !range.isEmpty {
        let middle = (range.lowerBound + range.upperBound) / 2
        range = sorted[middle] > entry ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      return range.lowerBound
    }
  }
}
