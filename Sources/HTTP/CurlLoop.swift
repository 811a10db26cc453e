import CCurl
import Dispatch
import OAuthCore
import Platform

/// Executes commands and advances all transfers until the client is deinitialized or has long been idle.
final class CurlLoop {
  /// The calls to one server.
  final class Server {
    /// How many of them libcurl has.
    var begun = 0
    /// Those that wait until it has fewer, in order. libcurl itself would keep the calls to all servers in one list: each end of a call goes through
    /// the whole list and wakes its first call only, whose server may hang.
    var waiting: [CurlTransfer] = []
    /// Whether it has answered over HTTP/2, where calls need no connections of their own.
    var isMultiplexed = false

    var takesMore: Bool { begun < CurlLoop.hostConnections || isMultiplexed }
  }

  /// Milliseconds that a blocked stream waits before its next attempt. Short enough for a user, long enough for a processor.
  private static let pause = 20
  /// Idle milliseconds after which the thread ends. libcurl would not reuse an older connection (CURLOPT_MAXAGE_CONN, 118 s).
  private static let idle = 118_000
  /// With fewer idle connections, concurrent calls would close each other's and open new ones. Each costs a descriptor and its TLS state.
  private static let connections = 100
  /// The connections to one host over HTTP/1.1; further calls wait for one of them, and need no TLS handshake of their own.
  private static let hostConnections = 64

  private let mailbox: CurlClient.Mailbox
  private let settings: CurlSettings
  private let multi: OpaquePointer
  private let share: OpaquePointer?
  private var transfers: [Int: CurlTransfer] = [:]
  /// The servers of calls, by the scheme, host and port of their URLs.
  private var servers: [Substring: Server] = [:]
  private var triesHashedCertificates: Bool
  /// Milliseconds of `uptime`, as all times here.
  private var nextTry = 0
  /// No transfer's time is up before this. A deadline can move to a later time: a relay waits longer for more of a body than for an answer.
  private var nextDeadline = Int.max

  /// Returns nil if memory has run out.
  init?(_ mailbox: CurlClient.Mailbox, _ settings: CurlSettings) {
    guard let multi = ccurl_multi_new() else { return nil }
    (self.mailbox, self.settings, self.multi) = (mailbox, settings, multi)
    share = ccurl_share_new()
    triesHashedCertificates = settings.triesHashedCertificates
    limitConnections()
    mailbox.opened(multi)
  }

  deinit {
    ccurl_multi_free(multi)
    if let share { ccurl_share_free(share) }
  }

  func run() {
    var idleSince: Int?
    while let commands = mailbox.take() {
      for command in commands { handle(command, isAlone: commands.count == 1) }
      tryPaused()
      // Taken before `perform`: a response that has arrived counts, however long the process was suspended.
      let looked = now
      ccurl_multi_perform(multi)
      endFinished()
      if nextDeadline <= looked { endLate(looked) }
      for server in servers.values { beginWaiting(server) }
      guard transfers.isEmpty else {
        idleSince = nil
        wait(min(nextDeadline, transfers.values.contains(where: \.isPolled) ? nextTry : .max) - self.now)
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

  private func handle(_ command: CurlClient.Mailbox.Command, isAlone: Bool) {
    switch command {
    case .begin(let id, let request, let host, let answer):
      let transfer = CurlTransfer(id, request, host: host, settings.clock, answer)
      transfers[id] = transfer
      nextDeadline = min(nextDeadline, transfer.deadline ?? .max)
      guard request.mayWait else {
        limitConnections()
        return begin(transfer)
      }
      beginCall(transfer)
    case .cancel(let id):
      if let transfer = transfers[id] { end(transfer, .failure(.cancelled)) }
    // Transfers must not wait for it.
    case .run(let part): isAlone && transfers.isEmpty ? part() : DispatchQueue.global().async(execute: part)
    case .wake(let id): transfers[id]?.tryAgain()
    }
  }

  private func begin(_ transfer: CurlTransfer) {
    do throws(HTTPFailure) {
      try transfer.begin(in: multi, share, settings, hashedCertificates: triesHashedCertificates)
    } catch {
      end(transfer, .failure(error))
    }
  }

  /// Begins a call, or lets it wait while libcurl has as many to its server as there are connections.
  private func beginCall(_ transfer: CurlTransfer) {
    let url = transfer.request.url
    let pathOrQuery = url.utf8.dropFirst("https://".utf8.count).firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
    let name = url[..<(pathOrQuery ?? url.endIndex)]
    let server: Server
    if let known = servers[name] {
      server = known
    } else {
      server = Server()
      servers[Substring(String(name))] = server
    }
    transfer.server = server
    server.waiting.append(transfer)
    beginWaiting(server)
  }

  /// Begins the calls to a server that wait, as many as libcurl may have.
  private func beginWaiting(_ server: Server) {
    while server.takesMore, !server.waiting.isEmpty {
      server.begun += 1
      begin(server.waiting.removeFirst())
    }
  }

  private func endLate(_ looked: Int) {
    for transfer in transfers.values where transfer.deadline.map({ $0 <= looked }) == true {
      end(transfer, .failure(transfer.networkFailure(CCURL_E_OPERATION_TIMEDOUT)))
    }
    nextDeadline = transfers.values.compactMap(\.deadline).min() ?? .max
  }

  private func end(_ transfer: CurlTransfer, _ result: Result<HTTPResponse, HTTPFailure>) {
    transfers[transfer.id] = nil
    transfer.end(result, in: multi)
    guard let server = transfer.server else { return limitConnections() }
    if let index = server.waiting.firstIndex(where: { $0 === transfer }) {
      server.waiting.remove(at: index)
    } else {
      server.begun -= 1
    }
  }

  /// Each transfer that does not wait raises the limit by its own connection.
  private func limitConnections() {
    let others = transfers.values.count { !$0.request.mayWait }
    ccurl_multi_limit(multi, Self.connections + others, Self.hostConnections + others)
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

  private func tryPaused() {
    let now = self.now
    guard now >= nextTry else { return }
    nextTry = now + Self.pause
    for transfer in transfers.values where transfer.isPolled { transfer.tryAgain() }
  }

  private var now: Int { settings.clock.uptime() }

  /// Waits for activity on a connection or for a command, at most this many milliseconds.
  private func wait(_ milliseconds: Int) { if mailbox.mayWait() { ccurl_multi_wait(multi, Int32(clamping: max(0, milliseconds))) } }
}

/// The file of the CA certificates that this process trusts, for libraries that need a file.
package enum CertificateFile {
  /// Debian, Fedora, openSUSE, and macOS or Alpine.
  private static let bundles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
  ]

  /// Returns the file that the user chose for libpq or for the process, else the system's; nil if there is none.
  package static func path(_ environment: (String) -> String?) -> String? {
    let own = environment("HOME").map { $0 + "/.postgresql/root.crt" }
    if let own, access(own, F_OK) == 0 { return own }
    return CurlSettings.certificateFile(environment) ?? bundles.first { access($0, R_OK) == 0 }
  }
}
