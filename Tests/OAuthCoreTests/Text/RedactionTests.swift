import Testing

@testable import OAuthCore

struct RedactionTests {
  /// Only the start of a long body is searched. Hidden secrets before the cut make room, so the piece of a secret at the cut would come into view.
  @Test func aSecretThatIsReadInPartIsNotShown() {
    let secret = String(repeating: "s3cr3t-", count: 100)
    let body = Array(("<p>" + String(repeating: " ", count: 2000) + String(repeating: secret, count: 100)).utf8)
    let shown = Redaction([Secret(secret)]).cleanBody(body)
    #expect(shown.hasPrefix("<p>") && !shown.contains("s3"))
  }

  @Test func theEndOfAShortBodyIsShown() {
    #expect(Redaction([Secret("s3cr3t")]).cleanBody(Array("a s3cr3t b".utf8)) == "a … b")
  }

  /// Servers escape different characters, in digits of either case. Only the first of these texts is JSON.
  @Test(arguments: [
    #"{"t":"SECRET"}"#, "cb(SECRET)", ")]}'\nSECRET", "{}\nSECRET\n",
  ])
  func everyEscapeOfASecretIsHidden(text: String) throws {
    let secret = "ya29.a0/B+cd_ef==token~+/"
    func escaped(_ characters: String, _ form: (Int) -> String) -> String {
      secret.map { characters.contains($0) ? form(Int($0.asciiValue ?? 0)) : String($0) }.joined()
    }
    func hex(_ number: Int, _ count: Int) -> String { String(repeating: "0", count: count - 2) + String(number, radix: 16) }
    var forms = [secret.replacing("/", with: #"\/"#), escaped("/") { _ in "&#47;" }]
    for characters in ["/", "=", "/+=", "./+=_~"] {
      forms += [
        escaped(characters) { "%" + hex($0, 2) }, escaped(characters) { "%" + hex($0, 2).uppercased() },
        escaped(characters) { #"\u"# + hex($0, 4) }, escaped(characters) { #"\u"# + hex($0, 4).uppercased() },
        escaped(characters) { "&#x\(hex($0, 2));" }, escaped(characters) { "&#X\(hex($0, 2).uppercased());" },
        escaped(characters) { "&#\($0);" },
      ]
    }
    let bytes = Array(secret.utf8)
    forms += [bytes.map { hex(Int($0), 2) }.joined(), bytes.map { hex(Int($0), 2).uppercased() }.joined()]
    for form in forms {
      let shown = Redaction([Secret(secret)]).hide(in: Array(text.replacing("SECRET", with: form).utf8))
      #expect(String(decoding: shown, as: UTF8.self) == text.replacing("SECRET", with: "…"), "\(form)")
    }
  }

  /// A password or a client's secret may have such characters. `)]}'` makes the second text no JSON; the third is JSON in JSON.
  @Test(arguments: [
    #"<p>p&amp;s&quot;w\d&lt;o&gt;r&apos;d</p>"#, #")]}'{"t":"p&s\"w\\d<o>r'd"}"#, #"{"t":"{\"t\":\"p&s\\\"w\\\\d<o>r'd\"}"}"#,
  ])
  func whatEveryWriterEscapesIsHiddenInASecret(text: String) {
    let shown = String(decoding: Redaction([Secret(#"p&s"w\d<o>r'd"#)]).hide(in: Array(text.utf8)), as: UTF8.self)
    #expect(shown.contains("…") && !shown.contains("p&") && !shown.contains("d<"), "\(shown)")
  }

  /// A part of the secret looks like an escape of another kind than the text's.
  @Test(arguments: [
    ("ab%2Fcd/ef", #"cb("ab%2Fcd\/ef")"#), ("ab%2Fcd/ef", "<p>ab%2Fcd&#47;ef"), (#"ab\\cd&ef"#, #"<p>ab\\cd&amp;ef"#),
    ("ab&lt;cd/ef", "ab&lt;cd%2fef"),
  ])
  func aSecretThatLooksEscapedIsHidden(secret: String, text: String) {
    let shown = String(decoding: Redaction([Secret(secret)]).hide(in: Array(text.utf8)), as: UTF8.self)
    #expect(shown.contains("…") && !shown.contains("ef"), "\(shown)")
  }

  @Test func aSecretInUTF16IsHidden() {
    for isSwapped in [false, true] {
      let secret = "0a-token".utf16.flatMap { isSwapped ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
      #expect(Redaction([Secret("0a-token")]).hide(in: [1, 2] + secret + [3]) == [1, 2] + Array("…".utf8) + [3])
    }
  }

  @Test(arguments: [
    "100 % of", #"\u00"#, #"\"#, "&#x;", "&#", "%zz%4", "&#99999;", "&#x2F", "a&b;%e9", "&#-1;", "%+1",
    "&ampx", "&am", "&", #"C:\\n"#, #"\""#,
  ])
  func whatIsNoEscapeStays(text: String) {
    #expect(Redaction([Secret("s3cr3t")]).hide(in: Array((text + " s3cr3t " + text).utf8)) == Array((text + " … " + text).utf8))
  }

  /// A server sends what almost matches everywhere. Every secret is found in it, and what follows the last one stays.
  @Test func almostASecretEverywhere() {
    let token = String(repeating: "a", count: 4000) + "b"
    let shown = Redaction([Secret(token)]).hide(
      in: Array((String(repeating: "a", count: 50_000) + "b" + String(repeating: "a", count: 4001)).utf8))
    #expect(shown == Array((String(repeating: "a", count: 46_000) + "…" + String(repeating: "a", count: 4001)).utf8))
  }
}

struct BytePatternTests {
  /// A text that counts how often its bytes are read.
  private final class CountedText: Sequence {
    let bytes: [UInt8]
    private(set) var reads = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func makeIterator() -> AnyIterator<UInt8> {
      var index = 0
      return AnyIterator { [self] in
        guard index < bytes.count else { return nil }
        (reads, index) = (reads + 1, index + 1)
        return bytes[index - 1]
      }
    }
  }

  /// Returns the same by comparing at every place.
  private func simply(_ pattern: [UInt8], in text: [UInt8]) -> [Int] {
    var (places, index) = ([Int](), 0)
    while index + pattern.count <= text.count {
      let isHere = text[index..<index + pattern.count].elementsEqual(pattern)
      if isHere { places.append(index) }
      index += isHere ? pattern.count : 1
    }
    return places
  }

  /// All texts of two letters: those that repeat themselves are the difficult ones.
  @Test func everyShortPatternIsFoundInEveryShortText() {
    func words(_ count: Int) -> [[UInt8]] { (0..<1 << count).map { word in (0..<count).map { UInt8(word >> $0 & 1) } } }
    for pattern in (1...5).flatMap(words) {
      let search = BytePattern(pattern)
      for text in (0...9).flatMap(words) where search.places(in: text) != simply(pattern, in: text) {
        Issue.record("\(pattern) in \(text)")
      }
    }
  }

  @Test func eachByteIsReadOnce() {
    let text = CountedText([UInt8](repeating: 0x61, count: 20_000))
    #expect(BytePattern([UInt8](repeating: 0x61, count: 5000) + [0x62]).places(in: text).isEmpty)
    #expect(text.reads == 20_000)
  }

  @Test func aMarkOfAnyLengthReplacesThePattern() {
    let search = BytePattern(Array("aba".utf8))
    #expect(search.replaced(in: Array("xababay".utf8), by: "".utf8) == Array("xbay".utf8))
    #expect(search.replaced(in: Array("ababa".utf8), by: "long".utf8) == Array("longba".utf8))
    #expect(BytePattern([]).replaced(in: [1], by: [2]) == [1])
  }
}
