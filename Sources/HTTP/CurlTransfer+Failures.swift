import CCurl
import OAuthCore
import Platform

/// Why there is no response: from libcurl's code, the result of the certificate's check, the proxy's status and the words of the TLS library.
extension CurlTransfer {
  /// Converts libcurl's code to an `HTTPFailure`. Only words of TLS and SOCKS are quoted: others quote URLs and proxies, which may contain secrets.
  func networkFailure(_ code: Int) -> HTTPFailure {
    // libcurl's clock and this one may differ by a few milliseconds.
    let isOver = deadline.map { clock.uptime() >= $0 - 50 } ?? false
    let isAtProxy = isAtProxy(code)
    if code == CCURL_E_OPERATION_TIMEDOUT, isOver, !isAtProxy { return .timedOut(host: host) }
    if code == CCURL_E_COULDNT_CONNECT, let rejectedScope { return .outOfScope(host: host, isPublic: rejectedScope == .publicNetwork) }
    if Descriptors.areExhausted { return .network(host: host, cause: HTTPFailure.noDescriptors, answered: hasAnswered(code)) }
    let said = errorText.baseAddress.map { String(cString: $0) } ?? ""
    let found = (isAtProxy ? proxyProblem(code, said) : nil) ?? tlsProblem(code, said, isAtProxy) ?? (cause(code), nil, nil)
    let proxy = isAtProxy ? proxy?.hostAndPort ?? "in HTTPS_PROXY" : nil
    return .network(host: host, cause: found.cause, answered: hasAnswered(code), proxy: proxy, problem: found.text, advice: found.advice)
  }

  private typealias Problem = (cause: String, text: String?, advice: String?)

  private func number(_ info: Int) -> Int { easy.map { ccurl_get_long($0, info) } ?? 0 }

  /// Whether the exchange has not come past the user's proxy. libcurl has a status of HTTP proxies on new connections, and a code for SOCKS.
  private func isAtProxy(_ code: Int) -> Bool {
    guard usesProxy, code != CCURL_E_COULDNT_RESOLVE_HOST else { return false }
    if [CCURL_E_COULDNT_RESOLVE_PROXY, CCURL_E_COULDNT_CONNECT, CCURL_E_PROXY].contains(code) { return true }
    let isSent = easy.map { ccurl_get_size($0, CCURL_INFO_PRETRANSFER_TIME) > 0 } ?? false
    return proxy?.scheme.hasPrefix("socks") != true && !isSent && !(200..<300).contains(number(CCURL_INFO_HTTP_CONNECTCODE))
  }

  /// What is wrong at the proxy; nil if it is what may be wrong at any host. The cause `proxy` is one that lasts.
  private func proxyProblem(_ code: Int, _ said: String) -> Problem? {
    switch number(CCURL_INFO_HTTP_CONNECTCODE) {
    case 407:
      let problem = proxy?.userInfo == nil ? "wants a user name and a password" : "does not accept the user name and the password"
      return ("proxy", problem + " (407)", "set HTTPS_PROXY to http://NAME:PASSWORD@HOST:PORT, with %40 for an @ in the password")
    case 403: return ("proxy", "does not allow this host (403)", "ask its operator, or add the host to NO_PROXY if it needs no proxy")
    case let status where status >= 300: return ("broken", "did not connect to the host: it answered \(status)", nil)
    case _ where code == CCURL_E_OPERATION_TIMEDOUT: return ("connect", "did not answer in time", nil)
    case _ where code == CCURL_E_PROXY: return ("connect", "did not connect to the host: \(said)", nil)
    case _ where said.hasPrefix("Unsupported proxy"): return ("proxy", "cannot be used", "set HTTPS_PROXY to http://HOST:PORT")
    default: return nil
    }
  }

  /// What is wrong in TLS: by the result of the certificate's check, which is OpenSSL's number or GnuTLS's bits, else by the library's words.
  private func tlsProblem(_ code: Int, _ said: String, _ isAtProxy: Bool) -> Problem? {
    guard cause(code) == "tls" || said.hasPrefix("SSL connection timeout") else { return nil }
    func says(_ words: String...) -> Bool { words.contains(where: said.lowercased().contains) }
    func unreachable(_ why: String, _ advice: String? = nil) -> Problem { ("tls", "could not be reached: \(why)", advice) }
    let end = "broke off the connection in the handshake of TLS"
    if says("ssl_error_syscall", "reset by peer", "non-properly terminated", "unexpected eof", "timeout") { return ("broken", end, nil) }
    if code == CCURL_E_SSL_CACERT_BADFILE {
      return unreachable("the file of CA certificates cannot be read", "correct SSL_CERT_FILE or CURL_CA_BUNDLE")
    }
    let result = number(isAtProxy ? CCURL_INFO_PROXY_SSL_VERIFYRESULT : CCURL_INFO_SSL_VERIFYRESULT)
    let isGnuTLS = String(cString: ccurl_version()).contains("GnuTLS")
    func isResult(_ numbers: Set<Int>, _ bits: Int) -> Bool {
      code == CCURL_E_PEER_FAILED_VERIFICATION && (isGnuTLS ? result & bits != 0 : numbers.contains(result))
    }
    let clock = "check this machine's clock; if it is right, the server needs another certificate"
    if isResult([10], 1 << 10) { return unreachable("its certificate has expired, or one that certifies it has", clock) }
    if isResult([9], 1 << 9) { return unreachable("its certificate is not valid yet", clock) }
    if isResult([66, 67, 68], 1 << 8) { return unreachable("its certificate, or one that certifies it, is too weak") }
    let file = "add the CA certificate: set SSL_CERT_FILE or CURL_CA_BUNDLE to a file that contains it"
    if isResult([2, 18, 19, 20, 21], 1 << 6 | 1 << 7) { return unreachable("its certificate is not trusted", file) }
    if says("match target", "matches target") { return unreachable("its certificate is for another name", "check the address") }
    let http = "check the port, or write http:// in \(isAtProxy ? "HTTPS_PROXY" : "the address")"
    if says("wrong version number", "unexpected tls packet", "packet length") { return unreachable("no TLS is spoken there", http) }
    if says("protocol version", "unsupported protocol", "unsupported version") { return unreachable("it has no TLS 1.2 or newer") }
    if says("unrecognized name", "was not recognized") { return unreachable("it serves no host of this name", "check the address") }
    let isVague = says("handshake fail", "insufficient security")
    return unreachable(isVague ? "it shares no encryption with this machine, or demands a clientCertificate" : "TLS failed (\(said))")
  }

  private func cause(_ code: Int) -> String {
    switch code {
    case CCURL_E_COULDNT_RESOLVE_HOST, CCURL_E_COULDNT_RESOLVE_PROXY: return "resolve"
    // A timeout before the request's own is the connection timeout.
    case CCURL_E_COULDNT_CONNECT, CCURL_E_OPERATION_TIMEDOUT: return "connect"
    case CCURL_E_SSL_CONNECT_ERROR, CCURL_E_SSL_ENGINE_NOTFOUND, CCURL_E_SSL_ENGINE_SETFAILED, CCURL_E_SSL_CERTPROBLEM,
      CCURL_E_SSL_CIPHER, CCURL_E_PEER_FAILED_VERIFICATION, CCURL_E_SSL_ENGINE_INITFAILED, CCURL_E_SSL_CACERT_BADFILE,
      CCURL_E_SSL_SHUTDOWN_FAILED, CCURL_E_SSL_CRL_BADFILE, CCURL_E_SSL_ISSUER_ERROR, CCURL_E_SSL_PINNEDPUBKEYNOTMATCH,
      CCURL_E_SSL_INVALIDCERTSTATUS, CCURL_E_SSL_CLIENTCERT:
      return "tls"
    case CCURL_E_UNSUPPORTED_PROTOCOL, CCURL_E_URL_MALFORMAT, CCURL_E_WEIRD_SERVER_REPLY, CCURL_E_HTTP2, CCURL_E_LOGIN_DENIED:
      return "protocol"
    default: return "broken"
    }
  }

  /// Whether the server sent any part of a response. libcurl counts complete header lines, and reports when it first read a part of one.
  /// The end of a connection counts as read data too. With GOT_NOTHING, a partial status line can't be distinguished from no response.
  private func hasAnswered(_ code: Int) -> Bool {
    if head.bytes > 0 || code == CCURL_E_UNSUPPORTED_PROTOCOL || code == CCURL_E_WEIRD_SERVER_REPLY { return true }
    return code != CCURL_E_GOT_NOTHING && easy.map { ccurl_get_size($0, CCURL_INFO_STARTTRANSFER_TIME) > 0 } ?? false
  }
}
