import CCurl
import OAuthCore
import Platform

extension CurlTransfer {
  /// Converts libcurl's code to an `HTTPFailure`. Its message is left out: it quotes URLs and proxies, which may contain secrets.
  func networkFailure(_ code: Int) -> HTTPFailure {
    // libcurl's clock and this one may differ by a few milliseconds.
    let isOver = request.timeout > 0 && clock.uptime() - began >= request.timeout * 1000 - 50
    if code == CCURL_E_OPERATION_TIMEDOUT, isOver { return .timedOut(host: host) }
    if code == CCURL_E_COULDNT_CONNECT, wasOutOfScope { return .outOfScope(host: host) }
    return .network(
      host: host, cause: Descriptors.areExhausted ? HTTPFailure.noDescriptors : cause(code), answered: hasAnswered(code))
  }

  private func cause(_ code: Int) -> String {
    switch code {
    case CCURL_E_COULDNT_RESOLVE_HOST: return "resolve"
    // A timeout before the request's own is the connection timeout.
    case CCURL_E_COULDNT_CONNECT, CCURL_E_OPERATION_TIMEDOUT: return "connect"
    case CCURL_E_COULDNT_RESOLVE_PROXY, CCURL_E_PROXY: return "proxy"
    case CCURL_E_SSL_CONNECT_ERROR, CCURL_E_SSL_ENGINE_NOTFOUND, CCURL_E_SSL_ENGINE_SETFAILED, CCURL_E_SSL_CERTPROBLEM,
      CCURL_E_SSL_CIPHER, CCURL_E_PEER_FAILED_VERIFICATION, CCURL_E_SSL_ENGINE_INITFAILED, CCURL_E_SSL_CACERT_BADFILE,
      CCURL_E_SSL_SHUTDOWN_FAILED, CCURL_E_SSL_CRL_BADFILE, CCURL_E_SSL_ISSUER_ERROR, CCURL_E_SSL_PINNEDPUBKEYNOTMATCH,
      CCURL_E_SSL_INVALIDCERTSTATUS, CCURL_E_SSL_CLIENTCERT:
      return "tls"
    case CCURL_E_UNSUPPORTED_PROTOCOL, CCURL_E_URL_MALFORMAT, CCURL_E_WEIRD_SERVER_REPLY, CCURL_E_HTTP2,
      CCURL_E_BAD_CONTENT_ENCODING, CCURL_E_LOGIN_DENIED:
      return "protocol"
    default:
      // A proxy that rejects a tunnel looks like a broken connection. Only its own status distinguishes the two.
      let connect = easy.map { ccurl_get_long($0, CCURL_INFO_HTTP_CONNECTCODE) } ?? 0
      return connect >= 300 ? "proxy" : "broken"
    }
  }

  /// Whether the server sent any part of a response. Header lines are counted when complete; for a partial line, libcurl reports when it first read
  /// data.
  /// The end of a connection counts as read data too. With GOT_NOTHING, a partial status line can't be distinguished from no response.
  private func hasAnswered(_ code: Int) -> Bool {
    if head.bytes > 0 || code == CCURL_E_UNSUPPORTED_PROTOCOL || code == CCURL_E_WEIRD_SERVER_REPLY { return true }
    return code != CCURL_E_GOT_NOTHING && easy.map { ccurl_get_size($0, CCURL_INFO_STARTTRANSFER_TIME) > 0 } ?? false
  }
}
