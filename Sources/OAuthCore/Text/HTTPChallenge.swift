/// The challenges of a `WWW-Authenticate` header (RFC 9110, 11.6.1).
package enum HTTPChallenge {
  /// Returns the parameters of a scheme's challenge; empty if the header has no such challenge. `scheme` must be in lower case.
  ///
  /// Ignores invalid parts, since the header only explains an error that the status reports.
  package static func parameters(_ header: String, scheme: String) -> [(name: String, value: [UInt8])] {
    var rest = Array(header.utf8)[...]
    var isMeant = false
    var parameters: [(name: String, value: [UInt8])] = []
    while !rest.isEmpty {
      rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
      let word = rest.prefix { !" \t,=\"".utf8.contains($0) }
      rest = rest.dropFirst(word.count)
      let afterBlanks = rest.drop { $0 == 0x20 || $0 == 0x09 }
      if !word.isEmpty, afterBlanks.first == UInt8(ascii: "=") {
        rest = afterBlanks.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
        let quoted = quotedString(&rest)
        let value = quoted ?? Array(rest.prefix { !" \t,".utf8.contains($0) })
        if quoted == nil { rest = rest.dropFirst(value.count) }
        if isMeant { parameters.append((String(decoding: word, as: UTF8.self), value)) }
      } else if !word.isEmpty {
        // A word without `=` starts the next challenge.
        isMeant = String(decoding: word, as: UTF8.self).lowercased() == scheme
      } else {
        rest = rest.dropFirst()
      }
    }
    return parameters
  }

  /// Takes a quoted string, and returns it without its quotes and backslashes (RFC 9110, 5.6.4); nil if there is none.
  package static func quotedString(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard rest.first == UInt8(ascii: "\"") else { return nil }
    var value: [UInt8] = []
    rest.removeFirst()
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() { value.append(escaped) } else { value.append(byte) }
    }
    return value
  }
}
