import Jansson

extension Template {
  /// A name's position, which decides which values are valid.
  package enum Place: Equatable {
    /// The beginning of a URL: scheme and host.
    case origin
    /// The host.
    case host
    /// The path or query.
    case rest
    /// Outside a URL: a header, or a parameter that is encoded when it is sent.
    case text

    /// Returns why `value` is invalid here. `@`, `?` and `#` in a host would change how the rest is read, a slash in a path would change the path.
    package func problem(of value: String) -> String? {
      if value.isEmpty { return "must not be empty" }
      switch self {
      case .origin:
        return Provider.problem(ofEndpoint: value)
      case .host:
        guard !value.utf8.allSatisfy({ isASCIILetterOrDigit($0) || "-.:[]".utf8.contains($0) }) else { return nil }
        return "has to be a host or a part of one, such as gitlab.example.com, without https:// before it and without a path"
      case .rest:
        // A segment of dots means the parent path, also when percent-encoded (RFC 3986, 5.2.4; 6.2.2.2).
        let isStep = [".", "..", "%2e", "%2e%2e", ".%2e", "%2e."].contains(value.lowercased())
        guard isStep || value.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || #"/?#&\"#.utf8.contains($0) }) else { return nil }
        return "has to be one part of a url, without slashes, ?, #, & or white space"
      case .text:
        return value.utf8.contains { $0 < 0x20 || $0 == 0x7F } ? "must not contain control characters" : nil
      }
    }
  }

  /// The kind of a text with names.
  package enum Kind { case url, host, other }

  /// Returns the position of each name.
  package func places(in kind: Kind) -> [(name: String, place: Place)] {
    var places: [(String, Place)] = []
    var url = FilledURL(text: kind == .host ? "https://" : "")
    for piece in pieces {
      switch piece {
      case .text(let text): url.text += text
      case .name(let name):
        let place = kind == .other ? .text : url.place
        places.append((String(name), place))
        url.text += place == .origin ? "https://localhost" : "localhost"
      }
    }
    return places
  }
}
