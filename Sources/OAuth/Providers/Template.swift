/// A text with {names} in it, for which values come from elsewhere.
struct Template {
  enum Piece {
    case text(Substring)
    case name(Substring)
  }

  let pieces: [Piece]

  /// A brace that is never closed is text like any other, which no URL and no host may have.
  init(_ text: String) {
    var pieces: [Piece] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      pieces.append(.text(rest[..<open]))
      pieces.append(.name(rest[rest.index(after: open)..<close]))
      rest = rest[rest.index(after: close)...]
    }
    self.pieces = pieces + [.text(rest)]
  }

  var names: [String] {
    pieces.compactMap { piece in
      if case .name(let name) = piece { String(name) } else { nil }
    }
  }

  /// With `localhost` for every name: the host that allows most, so that what stands around the names can be judged.
  var sample: String {
    pieces.map { piece in
      switch piece {
      case .text(let text): String(text)
      case .name: "localhost"
      }
    }.joined()
  }

  /// The same for a url, which may also begin with a name that stands for scheme and host, as `{instance_url}/services` does.
  var sampleURL: String {
    guard pieces.count > 2, case .text("") = pieces[0], case .text(let rest) = pieces[2] else { return sample }
    guard rest.hasPrefix("/") || (rest.isEmpty && pieces.count == 3) else { return sample }
    return "https://" + sample
  }

  /// With values in the place of names; one that has none stays as it is.
  func filled(_ value: (String) -> String?) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): String(text)
      case .name(let name): value(String(name)) ?? "{\(name)}"
      }
    }.joined()
  }

  /// What the template became as a URL.
  struct FilledURL {
    var text: String
    /// Whether a value that came from outside has a say in the host.
    var leadsElsewhere = false
  }

  /// A value for a name in a URL, and whether it came from outside: from a redirect or an answer.
  typealias Value = (text: String, isForeign: Bool)

  /// With values in the place of names, each as its place allows: scheme and host at the beginning, a host's characters inside a host, escaped elsewhere.
  /// nil where a value does not fit its place; a name without a value stays.
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
  /// What comes next.
  var place: Template.Place {
    if text.isEmpty { return .origin }
    guard let scheme = text.firstRange(of: "://") else { return .host }
    return text[scheme.upperBound...].utf8.contains { "/?#".utf8.contains($0) } ? .rest : .host
  }

  /// An origin may bring a slash along that the template has as well.
  fileprivate mutating func append(_ piece: Substring) {
    text += text.hasSuffix("/") && piece.hasPrefix("/") && !text.isEmpty ? piece.dropFirst() : piece
  }
}
