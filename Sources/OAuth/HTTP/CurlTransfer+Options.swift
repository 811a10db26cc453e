import CCurl
import OAuthCore

extension CurlTransfer {
  /// The longest wait for a connection, in seconds. It distinguishes an unreachable host from a slow response.
  private static let connectSeconds = 20
  /// Bytes per read. More brings no measurable gain; less makes a large download slower than `curl` itself.
  private static let pieceSize = 256 << 10
  /// Methods that libcurl may repeat on a new connection when a kept one proves closed (RFC 9110, 9.2.2).
  private static let idempotent: Set = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]

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
    ccurl_set_long(easy, CCURL_BUFFERSIZE, Self.pieceSize)
    ccurl_set_long(easy, CCURL_HTTP_VERSION, CCURL_HTTP_VERSION_2TLS)
    // libcurl repeats a request that a kept connection lost, but not on a new connection.
    // A kept connection may lead outside the scope, because it was opened for a request without a limit.
    if request.isSentOnce || isScopeLimited || !Self.idempotent.contains(request.method) { ccurl_set_long(easy, CCURL_FRESH_CONNECT, 1) }
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
      // Some TLS libraries can't read a folder. libcurl's default is then kept.
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
      ccurl_set_size(easy, CCURL_INFILESIZE_LARGE, Int64(source?.size ?? 0))
    } else {
      ccurl_set_long(easy, request.method == "HEAD" ? CCURL_NOBODY : CCURL_HTTPGET, 1)
    }
    ccurl_set_string(easy, CCURL_CUSTOMREQUEST, request.method)
  }

  private func setHeaders(_ easy: OpaquePointer, _ settings: CurlSettings) throws(HTTPFailure) {
    // A name with only a colon removes a header that libcurl would add.
    var wanted = ["accept", "expect", "content-type"].filter { !request.hasHeader($0) }.map { "\($0):" }
    for header in request.headers {
      // The length of the body is known here. Two different lengths in one request would allow request smuggling (RFC 9112, 11.2).
      if ["content-length", "transfer-encoding"].contains(header.name.lowercased()) { continue }
      let isBlank = header.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
      wanted.append(isBlank ? "\(header.name);" : "\(header.name): \(header.value)")
    }
    for line in wanted {
      guard let longer = ccurl_list_append(lines, line) else { throw .unavailable(reason: "out of memory") }
      lines = longer
    }
    ccurl_set_list(easy, CCURL_HTTPHEADER, lines)
    if !request.hasHeader("user-agent") { ccurl_set_string(easy, CCURL_USERAGENT, settings.userAgent) }
    // An empty value requests every encoding that libcurl can decode. A range of compressed bytes can't be decoded.
    // A caller that sets Accept-Encoding decodes the body itself.
    if !request.hasHeader("accept-encoding"), !request.hasHeader("range") { ccurl_set_string(easy, CCURL_ACCEPT_ENCODING, "") }
  }
}
