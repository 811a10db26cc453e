import Jansson

/// A text with {names} as placeholders for values.
package struct Template {
  enum Piece {
    case text(Substring)
    case name(Substring)
  }

  let pieces: [Piece]

  /// Parses the text. An unclosed brace is plain text, which later checks of URLs and hosts reject.
  package init(_ text: String) {
    var pieces: [Piece] = []
    var rest = text[...]
    while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")), let close = rest.utf8[open...].firstIndex(of: UInt8(ascii: "}")) {
      pieces.append(.text(rest[..<open]))
      pieces.append(.name(rest[rest.utf8.index(after: open)..<close]))
      rest = rest[rest.utf8.index(after: close)...]
    }
    self.pieces = pieces + [.text(rest)]
  }

  package var names: [String] {
    pieces.compactMap { piece in
      if case .name(let name) = piece { String(name) } else { nil }
    }
  }

  /// The text with `localhost` for every name. This host has the fewest restrictions, so the text around the names can be checked.
  package var sample: String { filled { _ in "localhost" } }

  /// The sample as a URL. The text may begin with a name for scheme and host, such as `{instance_url}/services`.
  var sampleURL: String {
    guard pieces.count > 2, case .text("") = pieces[0], case .text(let rest) = pieces[2] else { return sample }
    guard rest.hasPrefix("/") || (rest.isEmpty && pieces.count == 3) else { return sample }
    return "https://" + sample
  }

  /// Replaces names by values. A name without a value stays.
  package func filled(_ value: (String) -> String?) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): String(text)
      case .name(let name): value(String(name)) ?? "{\(name)}"
      }
    }.joined()
  }

  /// A template being filled in as a URL.
  struct FilledURL {
    package var text: String
    /// Whether a foreign value is part of the host.
    var leadsElsewhere = false
  }

  /// A value for a name in a URL. It is foreign if it comes from a redirect or a response.
  package typealias Value = (text: String, isForeign: Bool)

  /// Replaces names by values and checks or encodes each value for its position: an origin, a part of a host, or else percent-encoded.
  ///
  /// Returns nil if a value does not fit. A name without a value stays.
  func filledURL(_ value: (String) -> Value?) -> FilledURL? {
    var url = FilledURL(text: "")
    for piece in pieces {
      guard case .name(let name) = piece else {
        if case .text(let text) = piece { url.append(text) }
        continue
      }
      guard let value = value(String(name)) else {
        url.text += "{\(name)}"
        continue
      }
      let place = url.place
      guard place != .rest else {
        url.text += PercentEncoding.encode(value.text)
        continue
      }
      guard place.problem(of: value.text) == nil else { return nil }
      url.text += value.text
      if value.isForeign { url.leadsElsewhere = true }
    }
    return url
  }
}

extension Template.FilledURL {
  /// The position of the next piece.
  package var place: Template.Place {
    if text.isEmpty { return .origin }
    guard let scheme = text.firstRange(of: "://") else { return .host }
    return text[scheme.upperBound...].utf8.contains { "/?#".utf8.contains($0) } ? .rest : .host
  }

  /// Appends a piece. Drops its slash if the text already ends in one, such as an origin with a slash.
  mutating func append(_ piece: Substring) {
    text += text.hasSuffix("/") && piece.hasPrefix("/") && !text.isEmpty ? piece.dropFirst() : piece
  }
}

extension Template {
  /// A name's position, which decides which values are valid.
  package enum Place: Equatable {
    /// The beginning of a URL: scheme and host.
    case origin
    /// The host, or a part of it.
    case host
    /// A whole host, with a port and a path if the server has them.
    case server
    /// The path or query.
    case rest
    /// Outside a URL: a header, or a parameter that is encoded when it is sent.
    case text

    /// Returns why `value` is invalid here. `@`, `?` and `#` in a host would change how the rest is read, a slash in a path would change the path.
    package func problem(of value: String) -> String? {
      if value.isEmpty { return "must not be empty" }
      switch self {
      case .origin: return Provider.problem(ofEndpoint: value)
      case .host:
        guard !value.utf8.allSatisfy({ isASCIILetterOrDigit($0) || "-.:[]".utf8.contains($0) }) else { return nil }
        return "must be a host or a part of one, such as gitlab.example.com, without https:// before it and without a path"
      case .server:
        let segments = value.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let isPath = segments.dropFirst().allSatisfy { segment in
          !["", ".", ".."].contains(segment) && segment.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-._~".utf8.contains($0) }
        }
        return isPath && Place.host.problem(of: segments[0]) == nil
          ? nil : "must be a host, such as gitlab.example.com, or a host and a path, such as example.com/gitlab, without https:// before it"
      case .rest:
        // A segment of dots means the parent path, also when percent-encoded (RFC 3986, 5.2.4; 6.2.2.2).
        let isStep = [".", "..", "%2e", "%2e%2e", ".%2e", "%2e."].contains(value.lowercased())
        guard isStep || value.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || #"/?#&\"#.utf8.contains($0) }) else { return nil }
        return "must be one part of a URL, without slashes, ?, #, & or white space"
      case .text: return value.utf8.contains { $0 < 0x20 || $0 == 0x7F } ? "must not contain control characters" : nil
      }
    }
  }

  /// The kind of a text with names.
  package enum Kind { case url, host, other }

  /// Returns the position of each name.
  package func places(in kind: Kind) -> [(name: String, place: Place)] {
    var places: [(String, Place)] = []
    var url = FilledURL(text: kind == .host ? "https://" : "")
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .text(let text): url.text += text
      case .name(let name):
        var place = kind == .other ? .text : url.place
        // The last piece is always a text.
        if place == .host, url.text.hasSuffix("://"), case .text(let rest) = pieces[index + 1], rest.isEmpty || rest.hasPrefix("/") {
          place = .server
        }
        places.append((String(name), place))
        url.text += place == .origin ? "https://localhost" : "localhost"
      }
    }
    return places
  }
}
