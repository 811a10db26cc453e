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
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      pieces.append(.text(rest[..<open]))
      pieces.append(.name(rest[rest.index(after: open)..<close]))
      rest = rest[rest.index(after: close)...]
    }
    self.pieces = pieces + [.text(rest)]
  }

  package var names: [String] {
    pieces.compactMap { piece in
      if case .name(let name) = piece { String(name) } else { nil }
    }
  }

  /// The text with `localhost` for every name. This host has the fewest restrictions, so the text around the names can be checked.
  package var sample: String {
    pieces.map { piece in
      switch piece {
      case .text(let text): String(text)
      case .name: "localhost"
      }
    }.joined()
  }

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
  fileprivate mutating func append(_ piece: Substring) {
    text += text.hasSuffix("/") && piece.hasPrefix("/") && !text.isEmpty ? piece.dropFirst() : piece
  }
}
