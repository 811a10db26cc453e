#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What holds for every exchange of one client: how it introduces itself, whom it trusts, which hosts it reaches without a proxy.
struct CurlSettings: Sendable {
  /// Hashed certificates, where Debian, Alpine, SUSE and Arch keep them. libcurl's own choice, the bundle, takes 15 ms longer to load.
  static let certificates = "/etc/ssl/certs"
  /// Hosts on this machine: no proxy elsewhere could reach them, and what is sent to them is nobody else's to see.
  static let loopback = "localhost,127.0.0.0/8,127.0.0.1,::1"

  let userAgent: String
  /// The value of CURLOPT_NOPROXY, which stands in place of $no_proxy.
  let noProxy: String
  /// A file and a folder of certificates that the user chose; nil is libcurl's own choice.
  let certificateFile: String?
  let certificateFolder: String?
  /// Whether to try `certificates` alone first.
  let triesHashedCertificates: Bool
  /// The schemes that a proxy is set for.
  private let proxiedSchemes: Set<String>

  /// - Parameter environment: looks a variable up. An empty one counts as unset.
  init(version: String, environment: (String) -> String?) {
    func variable(_ names: String...) -> String? {
      names.compactMap { environment($0) }.first { !$0.isEmpty }
    }
    userAgent = "oauth-stdio/\(version)"
    switch variable("no_proxy", "NO_PROXY") {
    case nil: noProxy = Self.loopback
    // Alone it means every host; within a list it would mean none.
    case "*": noProxy = "*"
    case let list?: noProxy = "\(list),\(Self.loopback)"
    }
    certificateFile = variable("CURL_CA_BUNDLE", "SSL_CERT_FILE")
    certificateFolder = variable("SSL_CERT_DIR")
    triesHashedCertificates = certificateFile == nil && certificateFolder == nil && access(Self.certificates, R_OK | X_OK) == 0
    // As libcurl reads them: HTTP_PROXY is none, since a CGI script's caller could set it.
    let proxies = [
      ("http", variable("http_proxy", "all_proxy", "ALL_PROXY")),
      ("https", variable("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")),
    ]
    proxiedSchemes = noProxy == "*" ? [] : Set(proxies.filter { $0.1 != nil }.map(\.0))
  }

  /// Whether the user's proxy reaches this URL's host. A host that is excepted from the proxy counts as well: the user named it.
  func usesProxy(_ url: String) -> Bool {
    guard !proxiedSchemes.isEmpty, let url = try? URLParts(url) else { return false }
    return proxiedSchemes.contains(url.scheme) && !url.isLoopback
  }
}
