import CCurl
import OAuthCore
import Platform

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

    init(_ text: String) { entries = text.split { $0 == "," || $0 == " " || $0 == "\t" } }

    /// Whether the list contains a URL's host. `URLParts` has converted it to lower case.
    func names(_ host: String) -> Bool {
      // Within a list, `*` matches no host.
      if entries == ["*"] { return true }
      if let address = Self.bytes(host[...]) { return entries.contains { Self.network($0, contains: address) } }
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
      guard let first = bytes(parts[0]), first.count == address.count else { return false }
      let whole = address.count * 8
      guard let length = parts.count == 1 ? 0 : Int(parts[1]), (0...whole).contains(length) else { return false }
      let bits = length == 0 ? whole : length
      guard first.prefix(bits / 8) == address.prefix(bits / 8) else { return false }
      let rest = bits % 8
      return rest == 0 || (first[bits / 8] ^ address[bits / 8]) >> (8 - rest) == 0
    }

    /// Returns the bytes of an IPv4 address, or of an IPv6 address with or without brackets.
    private static func bytes(_ text: Substring) -> [UInt8]? {
      if text.contains(":") { return URLParts.ipv6Bytes(text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text) }
      var binary = in_addr()
      guard inet_pton(AF_INET, String(text), &binary) == 1 else { return nil }
      return withUnsafeBytes(of: &binary) { Array($0) }
    }
  }
}
