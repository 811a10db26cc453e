import Jansson

extension HTTPRequest {
  /// Returns the URL's host, for messages. Throws before anything is sent if the request is not valid on the wire as it is.
  ///
  /// Rejects anything that libcurl would correct, cut or read differently from the caller's own check of the URL.
  /// These are control characters and blanks (RFC 3986, 2), a backslash, and a user name in the URL (RFC 9110, 4.2.4).
  /// libcurl would also turn a user name into an `Authorization` header.
  package func checkedHost() throws(HTTPFailure) -> String {
    let url = Array(url.utf8)
    let scheme = ["https://", "http://"].first { url.starts(with: $0.utf8) { $0 == $1 || ($0 | 0x20 == $1 && $0 >= 0x41) } }
    guard let scheme, url.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else { throw Self.refused(host: "") }
    let authority = url.dropFirst(scheme.utf8.count).prefix { !"/?#".utf8.contains($0) }
    guard !authority.isEmpty, !authority.contains(UInt8(ascii: "@")) else { throw Self.refused(host: "") }
    let host: String
    if authority.first == UInt8(ascii: "["), let end = authority.firstIndex(of: UInt8(ascii: "]")) {
      host = String(decoding: authority[...end], as: UTF8.self)
    } else {
      host = String(decoding: authority.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    }
    let bodyOfHead = if case .none = body { false } else { method == "HEAD" }
    let clean = headers.allSatisfy { Self.isToken($0.name) && $0.value.utf8.allSatisfy { $0 != 0 && $0 != 0x0A && $0 != 0x0D } }
    guard Self.isToken(method), clean, !bodyOfHead else { throw Self.refused(host: host) }
    return host
  }

  /// Whether the caller set a header of that name (in lower case).
  package func hasHeader(_ name: String) -> Bool {
    headers.contains { $0.name.lowercased() == name }
  }

  /// Adds headers from a provider's description. Existing ones are replaced.
  package mutating func add(_ more: NamedValues<String>) {
    for (name, value) in more.pairs {
      headers.removeAll { $0.name.lowercased() == name.lowercased() }
      headers.append(HTTPHeader(name, value))
    }
  }

  private static func refused(host: String) -> HTTPFailure {
    .network(host: host, cause: "protocol", answered: false)
  }

  /// Whether the text is a token of RFC 9110, 5.6.2.
  package static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}
