import Testing

@testable import OAuthCore

@Suite struct XRDSTests {
  private func xrds(_ inner: String, _ before: String = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>") -> [UInt8] {
    Array("\(before)<xrds:XRDS xmlns:xrds=\"xri://$xrds\" xmlns=\"xri://$xrd*($v*2.0)\">\(inner)</xrds:XRDS>".utf8)
  }

  private func fault(_ document: [UInt8]) -> XMLReader.Fault? {
    do {
      _ = try XRDS(document)
      return nil
    } catch {
      return error
    }
  }

  @Test func services() throws {
    let document = xrds(
      """
      <XRD><Service priority="1"><Type>urn:first-xrd</Type><URI>https://old.example/</URI></Service></XRD>
      <!-- a - comment -- like < this --><XRD><Status>x</Status>
        <Service><Type>urn:none</Type><URI>https://none.example/</URI></Service>
        <Service priority="20"><Type> urn:a </Type><Type>urn:b</Type>
          <URI priority="2">https://two.example/</URI><URI>https://three.example/?a=1&amp;b=&#50;&#x33;</URI>
          <URI priority='1'>https://one.example/</URI><LocalID><![CDATA[https://me.example/<&]]></LocalID></Service>
        <Service priority="10"><Type>urn:c</Type><openid:Delegate xmlns:openid="http://openid.net/xmlns/1.0">d</openid:Delegate></Service>
        <Service priority="-5" xmlns="urn:other"><Type>urn:other</Type></Service>
      </XRD>
      """)
    let services = try XRDS(document).services
    #expect(services.map(\.types) == [["urn:c"], ["urn:a", "urn:b"], ["urn:none"]])
    #expect(services[0].delegate == "d" && services[1].localId == "https://me.example/<&")
    #expect(services[1].uris == ["https://one.example/", "https://two.example/", "https://three.example/?a=1&b=23"])
  }

  @Test func openIDServices() throws {
    let document = xrds(
      """
      <XRD>
      <Service priority="1"><Type>http://openid.net/signon/1.1</Type><URI>https://1.example/</URI><LocalID>l1</LocalID></Service>
      <Service priority="2"><Type>http://specs.openid.net/auth/2.0/signon</Type><URI>https://s.example/</URI><LocalID>l2</LocalID></Service>
      <Service priority="3"><Type>http://specs.openid.net/auth/2.0/server</Type><URI>https://o.example/</URI><LocalID>l3</LocalID></Service>
      </XRD>
      """)
    #expect(
      try XRDS(document).openIDServices(claimedId: "https://me.example/") == [
        OpenIDService(kind: .server, endpoint: "https://o.example/"),
        OpenIDService(kind: .signon, endpoint: "https://s.example/", claimedId: "https://me.example/", localId: "l2"),
        OpenIDService(kind: .signon1, endpoint: "https://1.example/", claimedId: "https://me.example/", localId: "l1"),
      ])
  }

  @Test func doctypes() {
    let laughs = "<!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol2 \"&lol;&lol;&lol;&lol;\">]>"
    #expect(fault(xrds("<XRD>&lol2;</XRD>", laughs)) == .doctype)
    #expect(fault(xrds("<XRD/>", "<!DOCTYPE x SYSTEM \"file:///etc/passwd\">")) == .doctype)
    #expect(fault(xrds("<XRD/>", "<?xml version=\"1.0\"?>\n<!-- x --><!DOCTYPE xrds>")) == .doctype)
  }

  @Test(arguments: ["&lol;", "&nbsp;", "&AMP;", "&lt;&xxe;"])
  func entities(reference: String) {
    #expect(fault(xrds("<XRD><Service><URI>\(reference)</URI></Service></XRD>")) == .entity)
    #expect(fault(xrds("<XRD a=\"\(reference)\"/>")) == .entity)
  }

  @Test(arguments: [
    "&", "&amp", "&;", "&#0;", "&#x1F;", "&#xD800;", "&#x110000;", "&#x;", "&#;", "&#-1;", "&#+65;", "&#xFFFE;", "&amplong_______;",
  ])
  func brokenReferences(reference: String) {
    let found = fault(xrds("<XRD>\(reference)</XRD>"))
    #expect(found == .malformed || (reference == "&;" && found == .entity))
  }

  @Test(arguments: [
    "<XRD>", "</XRD>", "<XRD></xrd>", "<XRD><Service></XRD></Service>", "<XRD a=1/>", "<XRD a='1' a='2'/>", "<XRD a='1'b='2'/>", "<XRD a/>",
    "<XRD a='<'/>", "<XRD a='1/>", "<1/>", "<XRD", "<XRD/", "<!ELEMENT x>", "<!-- x", "<![CDATA[ x", "<?x", "<x:XRD/>", "<a:b:c/>",
    "< XRD/>",
    "<XRD xmlns:p='1' xmlns:p='2'/>", "</xrds:XRDS><x/>", "</xrds:XRDS>text",
  ])
  func malformed(inner: String) { #expect(fault(xrds(inner)) == .malformed) }

  @Test func whatIsNoXRDS() {
    for text in ["", " ", "text", "<html/>", "<XRDS/>", "<XRDS xmlns='urn:x'/>", "{}"] { #expect(fault(Array(text.utf8)) == .malformed) }
    #expect(fault(xrds("")) == nil && fault(xrds("", "")) == nil && fault([0xEF, 0xBB, 0xBF] + xrds("")) == nil)
  }

  @Test func encodings() {
    #expect(fault(xrds("", "<?xml version='1.0' encoding='ISO-8859-1'?>")) == .notUTF8)
    #expect(fault(xrds("", "<?xml version='1.0' encoding='UTF-16'?>")) == .notUTF8)
    #expect(fault(xrds("", "<?xml version='1.0'?>")) == nil && fault(xrds("", "<?xml version='1.0' encoding = 'us-ascii'?>")) == nil)
    #expect(fault(xrds("") + [0xFF]) == .notUTF8 && fault(xrds("\0")) == .notUTF8)
    #expect(fault([0xFE, 0xFF, 0, 0x3C]) == .notUTF8)
  }

  @Test func depthAndAttributes() {
    let inner = String(repeating: "<a>", count: 31) + String(repeating: "</a>", count: 31)
    #expect(fault(xrds(inner)) == nil)
    #expect(fault(xrds("<a>" + inner + "</a>")) == .tooDeep)
    #expect(fault(xrds(String(repeating: "<a>", count: 200_000))) == .tooDeep)
    let attributes = (0..<64).map { " a\($0)='1'" }.joined()
    #expect(fault(xrds("<a\(attributes)/>")) == nil)
    #expect(fault(xrds("<a\(attributes) b='1'/>")) == .tooManyAttributes)
  }

  /// Reading is linear: a document of the maximum size takes no noticeable time.
  @Test(.timeLimit(.minutes(1))) func largeDocuments() {
    let megabyte = 1 << 20
    #expect(fault(xrds("<XRD>" + String(repeating: "<Service/>", count: megabyte / 10) + "</XRD>")) == nil)
    #expect(fault(xrds("<!--" + String(repeating: "-", count: megabyte))) == .malformed)
    #expect(fault(xrds(String(repeating: "<![CDATA[", count: megabyte / 9))) == .malformed)
    #expect(fault(xrds("<XRD>" + String(repeating: "&amp;", count: megabyte / 5) + "</XRD>")) == nil)
  }
}
