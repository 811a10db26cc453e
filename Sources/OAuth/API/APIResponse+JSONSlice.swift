import Jansson
import OAuthCore

extension APIResponse {
  /// Finds a part of a JSON text without decoding it. Numbers and escapes stay as the service wrote them.
  ///
  /// The text must be valid and without white space outside its strings, as `JSON.Scan` returns it.
  struct JSONSlice {
    private let text: [UInt8]

    init(compact text: [UInt8]) { self.text = text }

    /// Returns the bytes of the value at this place; nil if the place does not exist.
    func value(at path: DottedPath) -> [UInt8]? {
      var start = 0
      for part in path.parts {
        guard let next = text[start] == UInt8(ascii: "[") ? element(part, in: start) : member(part, in: start) else { return nil }
        start = next
      }
      return Array(text[start..<end(of: start)])
    }

    /// Returns where the member's value starts, in the object that starts at `start`.
    private func member(_ name: String, in start: Int) -> Int? {
      guard text[start] == UInt8(ascii: "{"), text[start + 1] != UInt8(ascii: "}") else { return nil }
      var position = start + 1
      while true {
        let colon = end(of: position)
        if isName(text[position..<colon], name) { return colon + 1 }
        let next = end(of: colon + 1)
        guard text[next] == UInt8(ascii: ",") else { return nil }
        position = next + 1
      }
    }

    private func element(_ index: String, in start: Int) -> Int? {
      guard let wanted = Int(index), wanted >= 0, text[start + 1] != UInt8(ascii: "]") else { return nil }
      var position = start + 1
      for _ in 0..<wanted {
        let next = end(of: position)
        guard text[next] == UInt8(ascii: ",") else { return nil }
        position = next + 1
      }
      return position
    }

    /// Compares the decoded name, because `"D"` may be written `"\u0044"`.
    private func isName(_ quoted: ArraySlice<UInt8>, _ name: String) -> Bool {
      guard quoted.contains(UInt8(ascii: "\\")) else { return quoted.dropFirst().dropLast().elementsEqual(name.utf8) }
      guard let list = try? JSON.parse([UInt8(ascii: "[")] + quoted + [UInt8(ascii: "]")]) else { return false }
      return list.array?.first?.string == name
    }

    /// Returns the position behind the value that starts at `start`.
    private func end(of start: Int) -> Int {
      var depth = 0
      var position = start
      while position < text.count {
        switch text[position] {
        case UInt8(ascii: "\""):
          position = endOfString(position)
          if depth == 0 { return position }
          continue
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          // The end of the container also ends a number or a literal.
          if depth == 0 { return position }
          depth -= 1
          if depth == 0 { return position + 1 }
        case UInt8(ascii: ","), UInt8(ascii: ":"):
          if depth == 0 { return position }
        default: break
        }
        position += 1
      }
      return position
    }

    private func endOfString(_ start: Int) -> Int {
      var position = start + 1
      while text[position] != UInt8(ascii: "\"") { position += text[position] == UInt8(ascii: "\\") ? 2 : 1 }
      return position + 1
    }
  }
}
