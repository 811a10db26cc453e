import CCurl
import OAuthCore
import Platform

extension CurlTransfer {
  /// The longest wait for a connection, in seconds. It distinguishes an unreachable host from a slow response.
  private static let connectSeconds = 20
  /// Methods that libcurl may repeat on a new connection when a reused one proves closed (RFC 9110, 9.2.2).
  private static let idempotent: Set = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]

  /// When the time is up; nil if there is no limit.
  ///
  /// libcurl's own limit checks the clock before the connection. After a suspension, it would discard a response that has arrived meanwhile.
  /// That response may contain a refresh token that the server has rotated.
  var deadline: Int? {
    if request.relay != nil { return lastByte + (head.isWhole ? HTTPRequest.Relay.silence : HTTPRequest.Relay.answerTime) * 1000 }
    return request.timeout > 0 ? began + request.timeout * 1000 : nil
  }

  /// Sets all options of the request. Redirects, cookies, netrc and HTTP/0.9 stay off, which is libcurl's default.
  func configure(_ easy: OpaquePointer, _ settings: CurlSettings) throws(HTTPFailure) {
    ccurl_set_string(easy, CCURL_URL, request.url)
    ccurl_set_long(easy, CCURL_PATH_AS_IS, 1)
    ccurl_set_long(easy, CCURL_DISALLOW_USERNAME_IN_URL, 1)
    if ccurl_set_string(easy, CCURL_PROTOCOLS_STR, "http,https") != CCURL_OK {
      ccurl_set_long(easy, CCURL_PROTOCOLS, CCURL_PROTOCOLS_HTTP_HTTPS)
    }
    ccurl_set_long(easy, CCURL_NOSIGNAL, 1)
    // Cancelling a transfer then doesn't wait for its name resolution (since 7.87).
    ccurl_set_long(easy, CCURL_QUICK_EXIT, 1)
    ccurl_set_long(easy, CCURL_TCP_KEEPALIVE, 1)
    // libcurl grants each stream of HTTP/2 a window of up to 32 MiB, which a paused relay would fill.
    ccurl_set_long(easy, CCURL_HTTP_VERSION, request.relay == nil ? CCURL_HTTP_VERSION_2TLS : CCURL_HTTP_VERSION_1_1)
    // libcurl repeats a request that a reused connection lost, but not on a new connection.
    // An idle connection may lead outside the scope, because it was opened for a request without a limit.
    let mayRepeat = !request.isSentOnce && Self.idempotent.contains(request.method)
    if isScopeLimited || !mayRepeat && request.connectionAge == nil { ccurl_set_long(easy, CCURL_FRESH_CONNECT, 1) }
    if let age = request.connectionAge { ccurl_set_long(easy, CCURL_MAXAGE_CONN, age) }
    let seconds = request.timeout > 0 ? min(request.timeout, Self.connectSeconds) : Self.connectSeconds
    ccurl_set_long(easy, CCURL_CONNECTTIMEOUT_MS, seconds * 1000)
    setTrust(easy, settings)
    // Replaces $no_proxy, which `CurlSettings` has already evaluated: excepts either no host or every host.
    ccurl_set_string(easy, CCURL_NOPROXY, usesProxy ? "" : "*")
    // Headers for the server, such as Authorization, are not sent to a proxy that only tunnels.
    ccurl_set_long(easy, CCURL_HEADEROPT, CCURL_HEADER_SEPARATE)
    ccurl_set_long(easy, CCURL_SUPPRESS_CONNECT_HEADERS, 1)
    setCallbacks(easy)
    setMethod(easy)
    try setHeaders(easy, settings)
  }

  private func setTrust(_ easy: OpaquePointer, _ settings: CurlSettings) {
    ccurl_set_long(easy, CCURL_SSLVERSION, CCURL_SSLVERSION_TLS_1_2)
    if triedHashedCertificates {
      // Some TLS libraries can't read a folder. libcurl then uses its default.
      if ccurl_set_string(easy, CCURL_CAPATH, CurlSettings.certificates) == CCURL_OK { ccurl_set_string(easy, CCURL_CAINFO, nil) }
    }
    if let file = settings.certificateFile {
      ccurl_set_string(easy, CCURL_CAINFO, file)
      ccurl_set_string(easy, CCURL_PROXY_CAINFO, file)
    }
    if let folder = settings.certificateFolder {
      ccurl_set_string(easy, CCURL_CAPATH, folder)
      ccurl_set_string(easy, CCURL_PROXY_CAPATH, folder)
    }
  }

  private func setMethod(_ easy: OpaquePointer) {
    // These methods have a body. Without a Content-Length of 0, a server may wait for one (RFC 9110, 8.6).
    let expectsBody = ["POST", "PUT", "PATCH"].contains(request.method)
    if source != nil || expectsBody {
      ccurl_set_long(easy, CCURL_UPLOAD, 1)
      ccurl_set_size(easy, CCURL_INFILESIZE_LARGE, source.map { Int64($0.size ?? -1) } ?? 0)
    } else {
      ccurl_set_long(easy, request.method == "HEAD" ? CCURL_NOBODY : CCURL_HTTPGET, 1)
    }
    ccurl_set_string(easy, CCURL_CUSTOMREQUEST, request.method)
  }

  private func setHeaders(_ easy: OpaquePointer, _ settings: CurlSettings) throws(HTTPFailure) {
    // A name with only a colon removes a header that libcurl would add.
    var wanted = ["accept", "expect", "content-type"].filter { !request.hasHeader($0) }.map { $0 + ":" }
    for header in request.headers + (download?.rangeHeaders ?? []) {
      // libcurl states the body's length. Two different lengths in one request would allow request smuggling (RFC 9112, 11.2).
      if header.isNamed("content-length") || header.isNamed("transfer-encoding") { continue }
      let isBlank = header.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
      wanted.append(header.name + (isBlank ? ";" : ": " + header.value))
    }
    if decodesBody { wanted.append("Accept-Encoding: \(download?.resumes == true || !request.allowsCompression ? "identity" : "gzip")") }
    for line in wanted {
      guard let longer = line.withCString({ ccurl_list_append(lines, $0) }) else { throw .unavailable(reason: "out of memory") }
      lines = longer
    }
    ccurl_set_list(easy, CCURL_HTTPHEADER, lines)
    if !request.hasHeader("user-agent") { ccurl_set_string(easy, CCURL_USERAGENT, settings.userAgent) }
  }
}

// MARK: Callbacks

extension CurlTransfer {
  /// Sets this transfer as the owner of its callbacks. It is unretained, because `CurlLoop` keeps it longer than libcurl keeps the handle.
  func setCallbacks(_ easy: OpaquePointer) {
    let owner = Unmanaged.passUnretained(self).toOpaque()
    ccurl_set_owner(easy, CCURL_PRIVATE, owner)
    ccurl_set_write(easy, CCURL_HEADERFUNCTION) { data, size, count, owner in
      CurlTransfer.of(owner)?.takeHeader(UnsafeRawBufferPointer(start: data, count: size * count)) ?? 0
    }
    ccurl_set_owner(easy, CCURL_HEADERDATA, owner)
    ccurl_set_write(easy, CCURL_WRITEFUNCTION) { data, size, count, owner in
      CurlTransfer.of(owner)?.takeBody(UnsafeRawBufferPointer(start: data, count: size * count)) ?? 0
    }
    ccurl_set_owner(easy, CCURL_WRITEDATA, owner)
    ccurl_set_read(easy) { room, size, count, owner in
      CurlTransfer.of(owner)?.giveBody(UnsafeMutableRawBufferPointer(start: room, count: size * count)) ?? CCURL_READ_ABORT
    }
    ccurl_set_owner(easy, CCURL_READDATA, owner)
    // libcurl seeks only from the start (`origin` SEEK_SET).
    ccurl_set_seek(easy) { owner, offset, origin in
      guard origin == 0, CurlTransfer.of(owner)?.source?.seek(to: Int(offset)) ?? (offset == 0) else { return Int32(CCURL_SEEK_FAIL) }
      return 0
    }
    ccurl_set_owner(easy, CCURL_SEEKDATA, owner)
    let check: ccurl_prerequest = { owner, _, _, _, _ in
      Int32(CurlTransfer.of(owner)?.maySend() == true ? CCURL_PREREQ_OK : CCURL_PREREQ_ABORT)
    }
    if request.connectionAge != nil {
      // Without the callback, a repetition could not be refused (before 7.80).
      if ccurl_set_prerequest(easy, check) != CCURL_OK { ccurl_set_long(easy, CCURL_FRESH_CONNECT, 1) }
      ccurl_set_owner(easy, CCURL_PREREQDATA, owner)
    }
    if isScopeLimited || isPlain {
      ccurl_set_opensocket(easy) { owner, _, address in
        guard let address, CurlTransfer.of(owner)?.allows(&address.pointee.address) == true else { return Int32(CCURL_SOCKET_BAD) }
        return ccurl_socket(address)
      }
      ccurl_set_owner(easy, CCURL_OPENSOCKETDATA, owner)
    }
    if request.progress != nil {
      ccurl_set_progress(easy) { owner, _, _, _, sent in
        CurlTransfer.of(owner)?.report(sent: Int(sent))
        return 0
      }
      ccurl_set_owner(easy, CCURL_XFERINFODATA, owner)
      ccurl_set_long(easy, CCURL_NOPROGRESS, 0)
    }
  }

  static func of(_ owner: UnsafeMutableRawPointer?) -> CurlTransfer? {
    owner.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// libcurl's callbacks, without the one for the body. The results are those that libcurl's documentation requires.
extension CurlTransfer {
  /// Milliseconds. Progress is reported at most 10 times a second.
  private static let progressInterval = 100

  /// Called before each sending, since 7.80. libcurl repeats a request that a reused connection lost.
  func maySend() -> Bool {
    defer { wasSent = true }
    if !wasSent { return true }
    failure = .network(host: host, cause: "broken", answered: false)
    return false
  }

  func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
    let wasWhole = head.isWhole
    if head.bytes == 0, line.starts(with: "HTTP/2".utf8) { server?.isMultiplexed = true }
    if head.take(line) {
      if head.isWhole, !wasWhole {
        request.headWasReceived?(head.status, head.headers)
        beginRelay()
      }
      return line.count
    }
    failure = .network(host: host, cause: "protocol", answered: true)
    return 0
  }

  /// Whether some addresses of the host may be rejected, which an earlier request was allowed to reach.
  var isScopeLimited: Bool { request.scopeLimit < .thisMachine && !usesProxy }

  /// Whether the request is http, which reaches no public address.
  var isPlain: Bool { request.url.prefix(5).lowercased() == "http:" }

  func allows(_ address: UnsafePointer<sockaddr>) -> Bool {
    let scope = NetworkScope(address)
    if scope <= request.scopeLimit, !isPlain || scope > .publicNetwork { return true }
    rejectedScope = scope
    return false
  }

  func giveBody(_ room: UnsafeMutableRawBufferPointer) -> Int {
    lastByte = clock.uptime()
    do throws(HTTPFailure) {
      guard let source else { return 0 }
      let count = try source.read(into: room)
      isBodyPaused = count == nil
      return count ?? CCURL_READ_PAUSE
    } catch {
      failure = error
      return CCURL_READ_ABORT
    }
  }

  func report(sent: Int) {
    let now = clock.uptime()
    if let reported {
      guard now - reported.at >= Self.progressInterval, (reported.sent, reported.received) != (sent, received) else { return }
    }
    reported = (now, sent, received)
    let first = download?.first ?? 0
    request.progress?(sent, first + received, head.length.map { first + $0 })
  }
}
