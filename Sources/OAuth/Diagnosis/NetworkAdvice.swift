import OAuthCore

/// What the user can do if a server cannot be reached.
package enum NetworkAdvice {
  /// `cause` is the failure's.
  package static func text(cause: String?) -> String? {
    switch cause {
    case "resolve": "check the name, and that this machine is online"
    case "connect": "check the address, a firewall, and HTTPS_PROXY if the network wants a proxy"
    case "tls": "add the CA certificate: set SSL_CERT_FILE or CURL_CA_BUNDLE to a file that contains it"
    case "proxy": "check HTTPS_PROXY and NO_PROXY"
    case "libcurl": "install libcurl (Debian: libcurl4)"
    default: nil
    }
  }
}

extension OAuthFailure {
  var networkAdvice: String? {
    if kind == .timedOut { return "check the address, and try again later" }
    return NetworkAdvice.text(cause: self["cause"]?.string)
  }
}
