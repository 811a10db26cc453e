import Testing

@testable import OAuthCore

@Suite struct FormEncodingTests {
  static func lines(_ pairs: [(String, String)]) -> [String] { pairs.map { "\($0.0)|\($0.1)" } }

  @Test func encodesAsRFC6749AppendixB() {
    #expect(FormEncoding.encode("\u{20}\u{25}\u{26}\u{2B}\u{A3}\u{20AC}") == "+%25%26%2B%C2%A3%E2%82%AC")
    #expect(FormEncoding.encode("AZaz09*-._~!'()") == "AZaz09*-._%7E%21%27%28%29")
    #expect(FormEncoding.encode([("a", "1 2"), ("a", ""), ("", "x"), ("ü&=", "\r\n")]) == "a=1+2&a=&=x&%C3%BC%26%3D=%0D%0A")
    #expect(FormEncoding.encode([]).isEmpty)
  }

  @Test func decodes() {
    #expect(Self.lines(FormEncoding.decodeLeniently("a=1+2&&a=&b&=x&c=d=e%3d&%C3%bc=€")) == ["a|1 2", "a|", "b|", "|x", "c|d=e=", "ü|€"])
    #expect(FormEncoding.decodeLeniently("").isEmpty)
    let pairs = [("x y", "+%&=é😀\0"), ("", "")]
    #expect(Self.lines(FormEncoding.decodeLeniently(FormEncoding.encode(pairs))) == Self.lines(pairs))
  }

  @Test(arguments: ["a=%", "a=%4", "a=%4g", "%zz=1", "a=b&c=1%"])
  func aBrokenEscapeStandsForItself(form: String) {
    let decoded = FormEncoding.decodeLeniently(form)
    #expect(decoded.map { "\($0.0)=\($0.1)" }.joined(separator: "&") == form)
  }

  @Test func invalidUTF8IsReplaced() {
    #expect(Self.lines(FormEncoding.decodeLeniently("a=%FFb&state=s")) == ["a|\u{FFFD}b", "state|s"])
  }

  @Test func percentEncodingKeepsTheUnreserved() {
    #expect(PercentEncoding.encode("ABCxyz019-._~ +*/%é\u{A}") == "ABCxyz019-._~%20%2B%2A%2F%25%C3%A9%0A")
    #expect(PercentEncoding.encode([0x00, 0xFF, 0x41]) == "%00%FFA")
    #expect(PercentEncoding.decode("a%20b+c%c3%A9") == "a b+cé")
    #expect(PercentEncoding.decode("%") == nil)
    #expect(PercentEncoding.decode("%ff") == nil)
  }
}
