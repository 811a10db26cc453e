import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// Randomly changed documents are read or rejected, and never crash the process.
@Suite struct OpenIDMutationTests {
  /// SplitMix64: the same sequence in every run, which makes failures reproducible.
  private struct Sequence: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return mixed ^ mixed >> 31
    }
  }

  private static let pieces = [
    "<", ">", "/", "&", ";", "=", "\"", "'", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "<!DOCTYPE", "&amp;", "&#x41;", "&#", "xmlns:",
    ":",
    "\u{0}", "\u{FEFF}", "ü", " ", "\n", "<link ", "</", "<title>", "rel=", "<meta ", "</head", "openid2.provider",
  ].map { Array($0.utf8) }

  private func mutated(_ document: [UInt8], _ random: inout Sequence) -> [UInt8] {
    var document = document
    for _ in 0...Int.random(in: 0...4, using: &random) {
      let place = Int.random(in: 0...document.count, using: &random)
      switch Int.random(in: 0...3, using: &random) {
      case 0: document.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: place)
      case 1: document.removeSubrange(place..<min(document.count, place + Int.random(in: 0...9, using: &random)))
      case 2 where place < document.count: document[place] = UInt8.random(in: 0...255, using: &random)
      default: document = Array(document[..<place])
      }
    }
    return document
  }

  @Test func documents() throws {
    let xrds = Array(
      ("<?xml version='1.0' encoding=\"UTF-8\"?><!-- c --><x:XRDS xmlns:x='xri://$xrds' xmlns=\"xri://$xrd*($v*2.0)\"><XRD a='&lt;'>"
        + "<Service priority='0'><Type>http://specs.openid.net/auth/2.0/signon</Type><URI>https://op.example/?a&amp;b&#x41;</URI>"
        + "<LocalID><![CDATA[x]]></LocalID></Service></XRD></x:XRDS>").utf8)
    let html = Array(
      ("<!DOCTYPE html><html><head><title>t</title><!-- c --><meta http-equiv=X-XRDS-Location content='/x'><link rel=\"openid2.provider\""
        + " href='https://op.example/?a&amp;b'/></head><body>b</body></html>").utf8)
    let form = Array("ns:http://specs.openid.net/auth/2.0\nis_valid:true\ninvalidate_handle:{h}\n".utf8)
    var random = Sequence(state: 1)
    var (readXRDS, readForms, links) = (0, 0, 0)
    for _ in 0..<4000 {
      if (try? XRDS(mutated(xrds, &random))) != nil { readXRDS += 1 }
      if HTMLHead(mutated(html, &random)).link("openid2.provider") != nil { links += 1 }
      if (try? KeyValueForm.decode(mutated(form, &random))) != nil { readForms += 1 }
    }
    // Some documents remain readable and some do not. Otherwise the test would show nothing.
    for count in [readXRDS, links, readForms] { #expect((1..<4000).contains(count)) }
  }

  @Test func messages() throws {
    var random = Sequence(state: 2)
    let whole = FormEncoding.encode(SampleAssertion().parameters().map { ($0.name, $0.value) })
    let service = OpenIDService(
      kind: .signon, endpoint: "https://op.example/e", claimedId: "https://me.example/", localId: "https://op.example/me")
    var believed = 0
    for _ in 0..<3000 {
      let text = mutated(Array(whole.utf8), &random)
      let parameters = FormEncoding.decodeLeniently(text).map { RedirectParameter(name: $0.0, value: $0.1) }
      do throws(OAuthFailure) {
        let assertion = try OpenIDAssertion(
          try OpenIDMessage(parameters), parameters: parameters, expecting: .init(service: service, returnTo: SampleAssertion.returnTo),
          now: SampleAssertion.now)
        do throws(OAuthFailure) {
          try assertion.check(SampleAssertion.verification(assertion.verificationRequest))
        } catch {
          #expect(error.kind == .responseUntrusted)
          continue
        }
        believed += 1
        // An accepted assertion names the signed user, whatever else was changed.
        #expect(try assertion.claim() == .confirmed("https://me.example/"))
      } catch {
        #expect(error.kind == .responseUntrusted)
      }
    }
    #expect((1..<3000).contains(believed))
  }
}
