import TestSupport

@testable import OAuthCore

/// URLs and references: libcurl connects to the host that our parser reads, and nothing that a response or a redirect contains changes it.
struct URLsTarget: FuzzTarget {
  static let name = "urls"

  private let libcurl: LibcurlParsers
  private let base: URLParts
  /// Another scheme and host than the base's, so that a mistake is seen.
  private let page: URLParts

  init() throws {
    libcurl = try LibcurlParsers()
    base = try URLParts("https://api.example/v1/items?page=2")
    page = try URLParts("app.example:/a/b")
  }

  func run(_ input: [UInt8]) throws {
    let text = input.text
    if let url = try? URLParts(text) {
      require((try? URLParts(url.description)) == url, "\(url) is read otherwise when it is written")
      try checkTarget(url, text)
      checkQuery(url)
    }
    checkReference(text)
    checkTemplate(text)
  }

  /// libcurl reads the same scheme, host and port, or a host that gets no token.
  private func checkTarget(_ url: URLParts, _ text: String) throws {
    let isWeb = url.scheme == "http" || url.scheme == "https"
    for spelling in [text, url.description] {
      let host = try? HTTPRequest(method: "GET", url: spelling).checkedHost().lowercased()
      require(host == (isWeb && url.userInfo == nil ? url.host : nil), "the last check reads the host \(host ?? "none") in \(spelling)")
      // libcurl's text ends at a NUL, which our parser rejects.
      guard isWeb, let target = try libcurl.target(of: spelling), !target.isSame(as: url) else { continue }
      require(!url.isLoopback && NetworkScope(url) == .thisMachine, "\(url.origin) to us is \(target) to libcurl")
      require(!AllowedHosts(patterns: [target.host]).allows(url), "the token for \(target) goes to \(url.origin)")
    }
  }

  private func checkQuery(_ url: URLParts) {
    let value = "a&b=c#é%"
    let set = url.settingQuery("own name", to: value)
    require(set.queryValue("own name") == value, "the query's value changes")
    require(set.origin == url.origin && set.path == url.path && set.fragment == url.fragment, "the query changes more than itself")
    require((try? URLParts(set.description)) == set, "\(set) is read otherwise when it is written")
    require(set.removingQuery { name, _ in name == "own name" }.queryValue("own name") == nil, "the pair stays")
  }

  /// A reference without scheme and authority stays at its base, and resolving twice changes nothing.
  private func checkReference(_ text: String) {
    guard let reference = try? URLReference(text) else { return }
    for base in [base, page] {
      guard let url = try? base.resolve(text) else { continue }
      if reference.scheme == nil, reference.authority == nil {
        require(url.origin == base.origin && url.hasAuthority == base.hasAuthority, "\(text) leads from \(base.origin) to \(url.origin)")
      }
      require((try? URLParts(url.description)) == url, "\(url) is read otherwise when it is written")
      let segments = url.path.split(separator: "/")
      require(!base.hasAuthority || reference.path.isEmpty || !segments.contains { $0 == "." || $0 == ".." }, "\(url) has dot segments")
      require(
        (try? base.resolve(url.description)) == url || url.path.contains("./") || url.path.hasSuffix("."),
        "resolving \(url) again changes it")
    }
  }

  /// A value in a template never changes the host around it.
  private func checkTemplate(_ value: String) {
    let template = Template("https://{host}.example/{path}?q={query}")
    guard let filled = template.filledURL({ _ in (value, isForeign: true) }) else { return }
    guard let url = try? URLParts(filled.text) else { return }
    require(url.host.hasSuffix(".example") && url.scheme == "https" && url.userInfo == nil, "\(filled.text) leads to \(url.host)")
    require(
      url.path.split(separator: "/", omittingEmptySubsequences: false).count <= 2 && url.fragment == nil, "\(filled.text) has another path")
    require(filled.leadsElsewhere, "the foreign host is not seen")
  }
}
