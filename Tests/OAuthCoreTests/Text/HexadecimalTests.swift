import OAuthCore
import Testing

@Suite struct HexadecimalTests {
  @Test func everyByteHasTwoDigits() {
    #expect(Hexadecimal.encode([0, 9, 10, 15, 16, 0x9F, 0xA0, 255]) == "00090a0f109fa0ff")
    let all = Array(UInt8.min...UInt8.max)
    #expect(Hexadecimal.decode(Hexadecimal.encode(all)) == all)
    #expect(Hexadecimal.decode(Hexadecimal.encode(all).uppercased()) == all)
    #expect(Hexadecimal.encode([]) == "" && Hexadecimal.decode("") == [])
  }

  @Test(arguments: ["0", "000", "0g", "/0", ":0", "@0", "G0", "`0", " 0", "0x", "é"])
  func otherTextsAreNoBytes(_ text: String) { #expect(Hexadecimal.decode(text) == nil) }
}
