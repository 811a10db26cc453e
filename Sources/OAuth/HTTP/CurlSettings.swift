import OAuthCore
import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Settings for all exchanges of one client: its user agent, the certificates it trusts, and the hosts that it reaches without a proxy.
struct CurlSettings: Sendable {
  /// Hashed certificates, as on Debian, Alpine, SUSE and Arch. libcurl's default, the bundle, takes 15 ms longer to load.
  static let certificates = "/etc/ssl/certs"

  let clock: Clock
  let userAgent: String
  /// The file and folder of certificates that the user chose; nil means libcurl's default.
  let certificateFile: String?
  let certificateFolder: String?
  /// Whether to try `certificates` alone first.
  let triesHashedCertificates: Bool
  /// The schemes with a proxy.
  private let proxiedSchemes: Set<String>
  private let exceptions: NoProxyList

  /// - Parameter environment: looks up a variable. An empty one counts as unset.
  init(version: String, clock: Clock = .system, environment: (String) -> String?) {
    func variable(_ names: String...) -> String? {
      names.compactMap { environment($0) }.first { !$0.isEmpty }
    }
    self.clock = clock
    userAgent = "oauth-stdio/\(version)"
    exceptions = NoProxyList(variable("no_proxy", "NO_PROXY") ?? "")
    certificateFile = variable("CURL_CA_BUNDLE", "SSL_CERT_FILE")
    certificateFolder = variable("SSL_CERT_DIR")
    triesHashedCertificates = certificateFile == nil && certificateFolder == nil && access(Self.certificates, R_OK | X_OK) == 0
    // The variables that libcurl reads. It ignores HTTP_PROXY, because a CGI script's caller could set it.
    let proxies = [
      ("http", variable("http_proxy", "all_proxy", "ALL_PROXY")),
      ("https", variable("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")),
    ]
    proxiedSchemes = Set(proxies.filter { $0.1 != nil }.map(\.0))
  }

  /// Whether the user's proxy is used for this URL. Hosts on this machine never use it: a remote proxy can't reach them and must not see their
  /// requests.
  func usesProxy(_ url: String) -> Bool {
    guard !proxiedSchemes.isEmpty, let url = try? URLParts(url) else { return false }
    return proxiedSchemes.contains(url.scheme) && NetworkScope(url) < .thisMachine && !exceptions.names(url.host)
  }
}
