@testable import OAuthCore

/// The head of an HTML page: links come back as they were written, and nothing after the head is read.
struct HTMLTarget: FuzzTarget {
  static let name = "html"

  /// What a visitor could have written into a page's body.
  private static let foreign = #"<link rel="openid2.provider" href="https://evil.example/">"#

  func run(_ input: [UInt8]) {
    let head = HTMLHead(input)
    require(head.elements.allSatisfy { $0.name == "link" || $0.name == "meta" }, "an element has another name")
    require(head.elements.count <= input.count { $0 == UInt8(ascii: "<") }, "more elements than tags")
    for link in [head.link("openid2.provider"), head.header("X-XRDS-Location")].compactMap(\.self) {
      require(!link.isEmpty && link.trimmed == link[...], "the value has white space around it")
    }
    checkBody(input)
    checkLinks(input)
  }

  private func checkBody(_ input: [UInt8]) {
    let own = Array("<html><head><link rel=own href=/></head>".utf8)
    for start in ["", "<body>", "<p>", "text"] {
      let page = HTMLHead(own + Array(start.utf8) + input + Array(Self.foreign.utf8))
      require(page.elements.count == 1 && page.link("own") == "/", "the body is read after \(start)")
    }
    // Whatever is in a comment, a title or a quoted value is no element.
    let text = input.filter { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "\"") }
    for (before, after) in [("<!--", "-->"), ("<title>", "</title>"), ("<script>", "</script>"), ("<meta content=\"", "\">")] {
      let hidden = before.utf8 + text + Self.foreign.utf8.filter { before.last != "\"" || $0 != UInt8(ascii: "\"") } + after.utf8
      require(HTMLHead(hidden + own).link("openid2.provider") == nil, "the content of \(before) is read")
      require(HTMLHead(hidden + own).link("own") == "/", "what follows \(before) is not read")
    }
  }

  /// Each line of the input becomes one link, as a page with escapes writes it.
  private func checkLinks(_ input: [UInt8]) {
    let values = input.split(separator: 10).prefix(20).map { Array($0).text }
    let links = values.map { "<LINK rel=x data-v=\"\(HTMLText.escaped($0))\" href='\(HTMLText.escaped($0))'>" }
    let found = HTMLHead(Array("<head>\(links.joined())</head>\(Self.foreign)".utf8)).elements
    require(found.count == values.count, "\(found.count) of \(values.count) links are read")
    for (value, element) in zip(values, found) {
      let wanted = Self.visible(value)
      require(element.attributes["href"] == wanted && element.attributes["data-v"] == wanted, "\(value) is read as \(element.attributes)")
    }
  }

  /// The text as escaping leaves it: white space becomes a blank, and a control character U+FFFD.
  private static func visible(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: result.append(" ")
      case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
