@testable import Jansson
@testable import OAuthCore

/// Percent-encoding, forms and base64: decoding undoes encoding, and a strict decoder accepts one spelling only.
struct EncodingsTarget: FuzzTarget {
  static let name = "encodings"

  func run(_ input: [UInt8]) {
    let text = input.text
    require(PercentEncoding.decode(PercentEncoding.encode(text)) == text, "percent-encoding changes the text")
    require(
      PercentEncoding.decode(ArraySlice(PercentEncoding.encode(input).utf8), plusIsBlank: true) == input, "percent-encoding changes bytes")
    checkPercent(input)
    checkForm(text)
    checkBase64(input, text)
    require(HTMLText.escaped(text).utf8.allSatisfy { !"<>\"'".utf8.contains($0) }, "the HTML text has markup")
  }

  /// The strict decoder rejects what the lenient one keeps, and both otherwise agree.
  private func checkPercent(_ input: [UInt8]) {
    for plusIsBlank in [true, false] {
      let lenient = PercentEncoding.decodeLeniently(input[...], plusIsBlank: plusIsBlank)
      let strict = PercentEncoding.decode(input[...], plusIsBlank: plusIsBlank)
      require(strict == nil || strict == lenient, "two decoders differ")
      let escapes = input.indices.filter { input[$0] == UInt8(ascii: "%") }
      let isWhole = Self.areWhole(escapes, input)
      require((strict != nil) == isWhole, "a broken escape is accepted, or a whole one rejected")
    }
  }

  private static func areWhole(_ escapes: [Int], _ input: [UInt8]) -> Bool {
    // A percent sign is never a hexadecimal digit, so each begins an escape.
    escapes.allSatisfy { $0 + 2 < input.count && input[($0 + 1)...($0 + 2)].allSatisfy { "0123456789abcdefABCDEF".utf8.contains($0) } }
  }

  private func checkForm(_ text: String) {
    let pairs = FormEncoding.decodeLeniently(text)
    let again = FormEncoding.decodeLeniently(FormEncoding.encode(pairs))
    require(again.elementsEqual(pairs) { $0.0 == $1.0 && $0.1 == $1.1 }, "the form's pairs change")
    let one = FormEncoding.decodeLeniently(FormEncoding.encode([(text, text)]))
    require(one.count == 1 && one[0].0 == text && one[0].1 == text, "a pair changes")
  }

  private func checkBase64(_ input: [UInt8], _ text: String) {
    require((try? Base64.decode(Base64.encode(input))) == input, "base64 changes the bytes")
    require((try? Base64.decodeURL(Base64.encodeURL(input))) == input, "base64url changes the bytes")
    if let bytes = try? Base64.decode(input) { require(Base64.encode(bytes) == text, "base64 has two spellings") }
    if let bytes = try? Base64.decodeURL(text) { require(Base64.encodeURL(bytes) == text, "base64url has two spellings") }
  }
}
