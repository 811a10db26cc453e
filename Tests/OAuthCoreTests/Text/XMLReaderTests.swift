import Testing

@testable import OAuthCore

@Suite struct XMLReaderTests {
  private func document(_ inner: String, _ before: String = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>") -> [UInt8] {
    Array("\(before)<a>\(inner)</a>".utf8)
  }

  private func events(_ document: [UInt8]) throws(XMLReader.Fault) -> [XMLReader.Event] {
    var reader = try XMLReader(document)
    var events: [XMLReader.Event] = []
    while let event = try reader.next() { events.append(event) }
    return events
  }

  private func fault(_ document: [UInt8]) -> XMLReader.Fault? {
    do {
      _ = try events(document)
      return nil
    } catch {
      return error
    }
  }

  @Test func reading() throws {
    let text = "<!-- a - comment -- like < this --><b x=\"1\" y='&'>a&amp;b&#50;&#x33;<![CDATA[<&]]></b><?p x?><c:d/>"
    #expect(try events(document(text)) == [.start("a"), .start("b"), .text("a&b23<&"), .end, .start("c:d"), .end, .end])
  }

  @Test func doctypes() {
    let laughs = "<!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol2 \"&lol;&lol;&lol;&lol;\">]>"
    #expect(fault(document("<b>&lol2;</b>", laughs)) == .doctype)
    #expect(fault(document("<b/>", "<!DOCTYPE x SYSTEM \"file:///etc/passwd\">")) == .doctype)
    #expect(fault(document("<b/>", "<?xml version=\"1.0\"?>\n<!-- x --><!DOCTYPE a>")) == .doctype)
  }

  @Test(arguments: ["&lol;", "&nbsp;", "&AMP;", "&lt;&xxe;"])
  func entities(reference: String) {
    #expect(fault(document("<b><c><URI>\(reference)</URI></c></b>")) == .entity)
  }

  @Test(arguments: [
    "&", "&amp", "&;", "&#0;", "&#x1F;", "&#xD800;", "&#x110000;", "&#x;", "&#;", "&#-1;", "&#+65;", "&#xFFFE;", "&amplong_______;",
  ])
  func brokenReferences(reference: String) {
    let found = fault(document("<b>\(reference)</b>"))
    #expect(found == .malformed || (reference == "&;" && found == .entity))
  }

  @Test(arguments: [
    "<b>", "</b>", "<b></B>", "<b><c></b></c>", "<b a=1/>", "<b a='1'b='2'/>", "<b a/>",
    "<b a='1/>", "<1/>", "<b", "<b/", "<!ELEMENT x>", "<!-- x", "<![CDATA[ x", "<?x", "< XRD/>", "</a><x/>", "</a>text",
  ])
  func malformed(inner: String) { #expect(fault(document(inner)) == .malformed) }

  @Test func whatIsNoDocument() {
    for text in ["", " ", "text", "{}"] { #expect(fault(Array(text.utf8)) == .malformed) }
    #expect(fault(document("", "")) == nil && fault([0xEF, 0xBB, 0xBF] + document("")) == nil)
  }

  @Test func encodings() {
    #expect(fault(document("", "<?xml version='1.0' encoding='ISO-8859-1'?>")) == .notUTF8)
    #expect(fault(document("", "<?xml version='1.0' encoding='UTF-16'?>")) == .notUTF8)
    #expect(fault(document("", "<?xml version='1.0'?>")) == nil)
    #expect(fault(document("", "<?xml version='1.0' encoding = 'us-ascii'?>")) == nil)
    #expect(fault(document("") + [0xFF]) == .notUTF8 && fault(document("\0")) == .notUTF8)
    #expect(fault([0xFE, 0xFF, 0, 0x3C]) == .notUTF8)
  }

  /// Reading is linear: a document of the maximum size takes no noticeable time.
  @Test(.timeLimit(.minutes(1))) func largeDocuments() {
    let megabyte = 1 << 20
    #expect(fault(document("<b>" + String(repeating: "<c/>", count: megabyte / 10) + "</b>")) == nil)
    #expect(fault(document("<!--" + String(repeating: "-", count: megabyte))) == .malformed)
    #expect(fault(document(String(repeating: "<![CDATA[", count: megabyte / 9))) == .malformed)
    #expect(fault(document("<b>" + String(repeating: "&amp;", count: megabyte / 5) + "</b>")) == nil)
  }
}
