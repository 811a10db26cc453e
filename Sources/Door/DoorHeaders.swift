import OAuthCore

/// The headers that pass, and the addresses in them.
package enum DoorHeaders {
  /// Those of one connection (RFC 9110, 7.6.1), and of the way to it.
  private static let ofConnection: Set = [
    "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te", "trailer", "transfer-encoding",
    "upgrade", "http2-settings",
  ]
  /// What a program says of its way to the door, and the cookies of another site on this machine: a cookie has no port.
  private static let ofProgram: Set = ["host", "content-length", "expect", "forwarded", "cookie"]
  /// The headers with one address.
  private static let addresses: Set = ["location", "content-location", "operation-location", "azure-asyncoperation", "x-goog-upload-url"]

  /// Returns the words of a list, in lower case.
  static func words(_ list: String) -> [String] {
    list.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init)
  }

  /// Returns the headers without those of the connection, and those that `Connection` names.
  private static func passing(_ headers: [HTTPHeader], without more: Set<String>) -> [HTTPHeader] {
    let named = Set(headers.filter { $0.isNamed("connection") }.flatMap { words($0.value) })
    return headers.filter { header in
      let name = header.name.lowercased()
      return !ofConnection.contains(name) && !named.contains(name) && !more.contains(name)
    }
  }

  static func forService(_ headers: [HTTPHeader]) -> [HTTPHeader] {
    passing(headers, without: ofProgram).filter { !$0.name.lowercased().hasPrefix("x-forwarded-") }
  }

  /// Returns the headers of the service's answer for the program. A 401 that stays loses its challenge: a program could not meet it.
  package static func forProgram(_ headers: [HTTPHeader], status: Int, _ addresses: DoorAddresses) -> [HTTPHeader] {
    var removed: Set = ["set-cookie", DoorFailure.header.lowercased()]
    if status == 401 { removed.insert("www-authenticate") }
    // The body has the length that its coding says (RFC 9112, 6.3).
    if headers.contains(where: { $0.isNamed("transfer-encoding") }) { removed.insert("content-length") }
    let clean = headers.filter { HTTPRequest.isToken($0.name) && !$0.value.utf8.contains(UInt8(ascii: "\r")) }
    return passing(clean, without: removed).compactMap { header in
      switch header.name.lowercased() {
      case let name where Self.addresses.contains(name): addresses.address(of: header.value).map { HTTPHeader(header.name, $0) }
      case "link": links(header.value, addresses).map { HTTPHeader(header.name, $0) }
      default: header
      }
    }
  }

  /// Replaces the targets of a `Link` header (RFC 8288, 3). They stand in angle brackets, which nothing else in a link has but a quoted text.
  /// Returns nil if one cannot pass.
  private static func links(_ text: String, _ addresses: DoorAddresses) -> String? {
    var (links, rest) = ("", text[...])
    guard rest.first == "<" else { return nil }
    while let start = rest.firstIndex(of: "<") {
      guard let end = rest[start...].firstIndex(of: ">"),
        let address = addresses.address(of: String(rest[rest.index(after: start)..<end]))
      else { return nil }
      links += rest[...start] + address + ">"
      rest = rest[end...].dropFirst()
    }
    return links + rest
  }
}

/// What the service's addresses are at the door.
package struct DoorAddresses: Sendable {
  /// The door's address of the account, without a slash at its end.
  private let door: String
  private let url: URLParts
  private let base: URLParts?
  private let hosts: [AllowedHosts]
  private let usesHost: Bool
  private let place: DoorRequest.Place

  /// - Parameters:
  ///   - url: the service's URL of the request.
  ///   - base: the provider's `apiBase`.
  ///   - hosts: those that get the token, as the API takes it or as a password.
  package init(_ request: DoorRequest, url: URLParts, base: String?, hosts: [AllowedHosts]) {
    door = "http://\(request.authority)/\(PercentEncoding.encode(request.account))"
    (self.url, self.hosts, usesHost, place) = (url, hosts, request.host != nil, request.place)
    self.base = base.flatMap { try? URLParts($0.hasSuffix("/") ? String($0.dropLast()) : $0) }
  }

  /// Returns the address at the door, or that of another host. A relative reference is relative to the service's URL (RFC 9110, 10.2.2).
  /// Returns nil for one that programs may read as an address of the door: the service would choose what they ask of another account.
  func address(of reference: String) -> String? {
    guard let target = try? url.resolve(reference.replacing(" ", with: "%20")) else { return nil }
    guard target.hasSafeScheme, target.userInfo == nil, hosts.contains(where: { $0.allows(target) }) else {
      if case .tcp(let port) = place, target.port != port { return target.description }
      return target.scheme == "http" ? nil : target.description
    }
    // Browsers' parsers decode these.
    guard !DoorRequest.hasDotSegments(Array(target.path.utf8)[...]) else { return nil }
    let rest = (target.query.map { "?" + $0 } ?? "") + (target.fragment.map { "#" + $0 } ?? "")
    // A program that names hosts compares addresses with its own.
    if let base, !(usesHost && target.hostAndPort == url.hostAndPort), base.origin == target.origin,
      target.path == base.path || target.path.hasPrefix(base.path + "/")
    {
      return door + target.path.dropFirst(base.path.count) + rest
    }
    return "\(door)/@\(target.hostAndPort)\(target.path)\(rest)"
  }
}
