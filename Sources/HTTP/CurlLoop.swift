import CCurl
import OAuthCore
import Platform

/// Executes commands and advances all transfers until the client is deinitialized or has long been idle.
final class CurlLoop {
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
  private var triesHashedCertificates: Bool
  /// Milliseconds of `uptime`, as all times here.
  private var nextTry = 0

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
      for command in commands { handle(command) }
      tryPaused()
      // Taken before `perform`: a response that has arrived counts, however long the process was suspended.
      let looked = now
      ccurl_multi_perform(multi)
      endFinished()
      for transfer in transfers.values where transfer.deadline.map({ $0 <= looked }) == true {
        end(transfer, .failure(transfer.networkFailure(CCURL_E_OPERATION_TIMEDOUT)))
      }
      guard transfers.isEmpty else {
        idleSince = nil
        let next = transfers.values.compactMap(\.deadline) + (transfers.values.contains(where: \.isPaused) ? [nextTry] : [])
        wait(next.min().map { $0 - self.now } ?? .max)
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
      let transfer = CurlTransfer(id, request, host: host, settings.clock, answer)
      transfers[id] = transfer
      if transfer.isStream { limitConnections() }
      begin(transfer)
    case .cancel(let id):
      if let transfer = transfers[id] { end(transfer, .failure(.cancelled)) }
    }
  }

  private func begin(_ transfer: CurlTransfer) {
    do throws(HTTPFailure) {
      try transfer.begin(in: multi, share, settings, hashedCertificates: triesHashedCertificates)
    } catch {
      end(transfer, .failure(error))
    }
  }

  private func end(_ transfer: CurlTransfer, _ result: Result<HTTPResponse, HTTPFailure>) {
    transfers[transfer.id] = nil
    transfer.end(result, in: multi)
    if transfer.isStream { limitConnections() }
  }

  /// Streams last for hours, so no other call waits for their connections.
  private func limitConnections() {
    let streams = transfers.values.count(where: \.isStream)
    ccurl_multi_limit(multi, Self.connections + streams, Self.hostConnections + streams)
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
    for transfer in transfers.values { transfer.tryAgain() }
  }

  private var now: Int { settings.clock.uptime() }

  /// Waits for activity on a connection or for a command, at most this many milliseconds.
  private func wait(_ milliseconds: Int) { ccurl_multi_wait(multi, Int32(clamping: max(0, milliseconds))) }
}

/// Settings for all exchanges of one client: its user agent, the certificates it trusts, and the hosts that it reaches without a proxy.
struct CurlSettings: Sendable {
  /// Hashed certificates, as on Debian, Alpine, SUSE and Arch. libcurl's default, the bundle, takes longer to load.
  static let certificates = "/etc/ssl/certs"

  let clock: Clock
  let userAgent: String
  /// The file and folder of certificates that the user chose; nil means libcurl's default.
  let certificateFile: String?
  let certificateFolder: String?
  /// Whether to try `certificates` alone first.
  let triesHashedCertificates: Bool
  private let hasProxy: Bool
  let proxy: URLParts?
  private let exceptions: NoProxyList

  /// - Parameter environment: looks up a variable. An empty one counts as unset.
  init(version: String, clock: Clock = .system, environment: (String) -> String?) {
    func variable(_ names: String...) -> String? { names.compactMap { environment($0) }.first { !$0.isEmpty } }
    self.clock = clock
    userAgent = "oauth-stdio/\(version)"
    exceptions = NoProxyList(variable("no_proxy", "NO_PROXY") ?? "")
    certificateFile = Self.certificateFile(environment)
    certificateFolder = variable("SSL_CERT_DIR")
    triesHashedCertificates = certificateFile == nil && certificateFolder == nil && access(Self.certificates, R_OK | X_OK) == 0
    // The variables that libcurl reads.
    let named = variable("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
    hasProxy = named != nil
    proxy = named.flatMap { try? URLParts($0.contains("://") ? $0 : "http://" + $0) }
  }

  /// Returns the file of certificates that the user chose for every library.
  static func certificateFile(_ environment: (String) -> String?) -> String? {
    CurlClient.certificateVariables.compactMap(environment).first { !$0.isEmpty }
  }

  /// Whether the user's proxy is used for this URL. Hosts on this machine never use it: a remote proxy can't reach them and must not see their
  /// requests. Nor does http, because only the address shows that a host of `httpHosts` is not public.
  func usesProxy(_ url: String) -> Bool {
    guard hasProxy, let url = try? URLParts(url) else { return false }
    return url.scheme == "https" && NetworkScope(url) < .thisMachine && !exceptions.names(url.host)
  }

  /// The hosts that need no proxy, parsed as libcurl before 8.9 parses `$no_proxy`. Entries are names with their subdomains, addresses and networks.
  /// Commas or blanks separate them.
  ///
  /// libcurl gets the result instead of the list, because its releases parse the list differently. A wrong guess would check the wrong address.
  struct NoProxyList: Sendable {
    private let entries: [Substring]
    /// `*` alone means every host. Within a list it matches no host.
    let namesAll: Bool

    init(_ text: String) {
      namesAll = text == "*"
      entries = text.split { $0 == "," || $0 == " " || $0 == "\t" }
    }

    /// Whether the list contains a URL's host. `URLParts` has converted it to lower case.
    func names(_ host: String) -> Bool {
      if namesAll { return true }
      if host.hasPrefix("[") {
        guard let address = URLParts.ipv6Bytes(host.dropFirst().dropLast()) else { return false }
        return entries.contains { Self.network($0, contains: address) }
      }
      if let address = Self.ipv4Bytes(host[...]) { return entries.contains { Self.network($0, contains: address) } }
      let name = Self.withoutRoot(host[...])
      return entries.contains { Self.domain($0, contains: name) }
    }

    private static func domain(_ entry: Substring, contains name: Substring) -> Bool {
      var domain = withoutRoot(entry).lowercased()[...]
      // Many users write `*.example.com`, which libcurl itself takes for no host.
      if domain.hasPrefix("*.") { domain = domain.dropFirst() }
      if domain.hasPrefix(".") { domain = domain.dropFirst() }
      return !domain.isEmpty && (name == domain || name.hasSuffix("." + domain))
    }

    /// Returns the name without the root's trailing dot.
    private static func withoutRoot(_ name: Substring) -> Substring { name.hasSuffix(".") ? name.dropLast() : name }

    /// Whether `entry`, an address or a network such as `10.0.0.0/8`, contains the address. A length of 0 means the address alone, as in libcurl.
    private static func network(_ entry: Substring, contains address: [UInt8]) -> Bool {
      let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      var text = parts[0]
      if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
      guard let first = address.count == 4 ? ipv4Bytes(text) : URLParts.ipv6Bytes(text) else { return false }
      let whole = address.count * 8
      guard let length = parts.count == 1 ? 0 : Int(parts[1]), (0...whole).contains(length) else { return false }
      let bits = length == 0 ? whole : length
      guard first.prefix(bits / 8) == address.prefix(bits / 8) else { return false }
      let rest = bits % 8
      return rest == 0 || (first[bits / 8] ^ address[bits / 8]) >> (8 - rest) == 0
    }

    private static func ipv4Bytes(_ text: Substring) -> [UInt8]? {
      var binary = in_addr()
      guard inet_pton(AF_INET, String(text), &binary) == 1 else { return nil }
      return withUnsafeBytes(of: &binary) { Array($0) }
    }
  }
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
