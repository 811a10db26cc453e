import Jansson
import OAuthCore

extension APIResponse {
  /// Finds a part of a JSON text without decoding it. Numbers and escapes stay as the service wrote them.
  ///
  /// The text must be valid and without white space outside its strings, as `JSON.Scan` returns it.
  struct JSONSlice {
    private var rest: ArraySlice<UInt8>

    init(compact text: [UInt8]) { rest = text[...] }

    /// Returns the bytes of the value at this place; nil if the place does not exist.
    func value(at path: DottedPath) -> [UInt8]? {
      var slice = self
      for part in path.parts where !slice.enter(part) { return nil }
      return Array(slice.take())
    }

    /// Goes to the value of this name, or with this index, in the object or list at the start. Returns false if there is none.
    private mutating func enter(_ part: String) -> Bool {
      let isList = rest.first == UInt8(ascii: "[")
      guard isList || rest.first == UInt8(ascii: "{") else { return false }
      var index = 0
      while let mark = rest.popFirst(), index == 0 || mark == UInt8(ascii: ","), let first = rest.first, !"]}".utf8.contains(first) {
        if isList {
          if Int(part) == index { return true }
        } else {
          let name = take()
          rest.removeFirst()
          if isName(name, part) { return true }
        }
        _ = take()
        index += 1
      }
      return false
    }

    /// Compares the decoded name, because `"D"` may be written `"\u0044"`.
    private func isName(_ quoted: ArraySlice<UInt8>, _ name: String) -> Bool {
      guard quoted.contains(UInt8(ascii: "\\")) else { return quoted.dropFirst().dropLast().elementsEqual(name.utf8) }
      guard let list = try? JSON.parse([UInt8(ascii: "[")] + quoted + [UInt8(ascii: "]")]) else { return false }
      return list.array?.first?.string == name
    }

    /// Takes the value at the start.
    private mutating func take() -> ArraySlice<UInt8> {
      let all = rest
      var depth = 0
      repeat {
        switch rest.popFirst() {
        case nil: return all
        case UInt8(ascii: "\""):
          while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") { if byte == UInt8(ascii: "\\") { rest = rest.dropFirst() } }
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: if depth == 0 { rest = rest.drop { !",:]}".utf8.contains($0) } }
        }
      } while depth > 0
      return all[..<rest.startIndex]
    }
  }
}
