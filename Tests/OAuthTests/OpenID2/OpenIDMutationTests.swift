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
    "<", ">", "/", "&", ";", "=", "\"", "'", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "<!DOCTYPE", "&amp;", "&#x41;", "&#", ":",
    "\u{0}", "\u{FEFF}", "ü", " ", "\n", "</", "<dict", "<key>",
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
    let plist = Array(
      ("<?xml version='1.0' encoding=\"UTF-8\"?><plist version='1.0'><dict><key>a</key><string>b&amp;c</string>"
        + "<key>d</key><string>x</string><key>e</key><true/></dict></plist>").utf8)
    let form = Array("ns:http://specs.openid.net/auth/2.0\nis_valid:true\ninvalidate_handle:{h}\n".utf8)
    var random = Sequence(state: 1)
    var (readLists, readForms) = (0, 0)
    for _ in 0..<4000 {
      if (try? PropertyList.dictionary(mutated(plist, &random))) != nil { readLists += 1 }
      if (try? OpenIDMessage(HTTPResponse(status: 200, body: mutated(form, &random)))) != nil { readForms += 1 }
    }
    // Some documents remain readable and some do not. Otherwise the test would show nothing.
    for count in [readLists, readForms] { #expect((1..<4000).contains(count)) }
  }

  @Test func messages() throws {
    var random = Sequence(state: 2)
    let whole = FormEncoding.encode(SampleAssertion().parameters().map { ($0.name, $0.value) })
    var believed = 0
    for _ in 0..<3000 {
      let text = mutated(Array(whole.utf8), &random)
      let parameters = FormEncoding.decodeLeniently(text).map { RedirectParameter(name: $0.0, value: $0.1) }
      do throws(OAuthFailure) {
        let assertion = try OpenIDAssertion(
          try OpenIDMessage(parameters), parameters: parameters, expecting: OpenIDAssertionTests.expectation,
          now: SampleAssertion.now)
        do throws(OAuthFailure) {
          try assertion.check(SampleAssertion.verification(assertion.verificationRequest))
        } catch {
          #expect(error.kind == .responseUntrusted)
          continue
        }
        believed += 1
        // An accepted assertion names the signed user, whatever else was changed.
        #expect(try assertion.subject() == SampleAssertion.claimedIds + "7")
      } catch {
        #expect(error.kind == .responseUntrusted)
      }
    }
    #expect((1..<3000).contains(believed))
  }
}
