#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What holds for every exchange of one client: how it introduces itself, whom it trusts, which hosts it reaches without a proxy.
struct CurlSettings: Sendable {
  /// Hashed certificates, where Debian, Alpine, SUSE and Arch keep them. libcurl's own choice, the bundle, takes 15 ms longer to load.
  static let certificates = "/etc/ssl/certs"

  let userAgent: String
  /// A file and a folder of certificates that the user chose; nil is libcurl's own choice.
  let certificateFile: String?
  let certificateFolder: String?
  /// Whether to try `certificates` alone first.
  let triesHashedCertificates: Bool
  /// The schemes that a proxy is set for.
  private let proxiedSchemes: Set<String>
  private let exceptions: NoProxyList

  /// - Parameter environment: looks a variable up. An empty one counts as unset.
  init(version: String, environment: (String) -> String?) {
    func variable(_ names: String...) -> String? {
      names.compactMap { environment($0) }.first { !$0.isEmpty }
    }
    userAgent = "oauth-stdio/\(version)"
    exceptions = NoProxyList(variable("no_proxy", "NO_PROXY") ?? "")
    certificateFile = variable("CURL_CA_BUNDLE", "SSL_CERT_FILE")
    certificateFolder = variable("SSL_CERT_DIR")
    triesHashedCertificates = certificateFile == nil && certificateFolder == nil && access(Self.certificates, R_OK | X_OK) == 0
    // As libcurl reads them: HTTP_PROXY is none, since a CGI script's caller could set it.
    let proxies = [
      ("http", variable("http_proxy", "all_proxy", "ALL_PROXY")),
      ("https", variable("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")),
    ]
    proxiedSchemes = Set(proxies.filter { $0.1 != nil }.map(\.0))
  }

  /// Whether this URL's host is reached through the user's proxy. Hosts on this machine never are: no proxy elsewhere could reach them, and what is sent
  /// to them is nobody else's to see.
  func usesProxy(_ url: String) -> Bool {
    guard !proxiedSchemes.isEmpty, let url = try? URLParts(url) else { return false }
    return proxiedSchemes.contains(url.scheme) && NetworkScope(url) < .thisMachine && !exceptions.names(url.host)
  }
}
