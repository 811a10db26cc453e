/// A text with {names} in it, for which values come from elsewhere.
struct Template {
  private enum Piece {
    case text(Substring)
    case name(Substring)
  }

  private let pieces: [Piece]

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
}
