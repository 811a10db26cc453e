import Jansson

/// A slow, simple parser for RFC 8259. It is independent of the scanner, which is compared with it.
package struct JSONOracle {
  private let bytes: [UInt8]
  private var index = 0
  private var concerns: Set<JSON.Scan.Reason> = []
  private var output: [UInt8] = []

  private struct Stop: Error { let reasons: Set<JSON.Scan.Reason> }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  package enum Verdict: Equatable {
    case compact([UInt8])
    /// The scanner may report any one of these reasons.
    case rejected(Set<JSON.Scan.Reason>)

    package func allows(_ result: Result<[UInt8], JSON.Scan.Reason>) -> Bool {
      switch (self, result) {
      case (.compact(let wanted), .success(let got)): wanted == got
      case (.rejected(let reasons), .failure(let reason)): reasons.contains(reason)
      default: false
      }
    }
  }

  package static func judge(_ bytes: [UInt8]) -> Verdict {
    var oracle = JSONOracle(bytes)
    do {
      oracle.blanks()
      if oracle.index == bytes.count { return .rejected([.empty]) }
      try oracle.value(1)
      oracle.blanks()
      if oracle.index < bytes.count { try oracle.fail() }
      return oracle.concerns.isEmpty ? .compact(oracle.output) : .rejected(oracle.concerns)
    } catch {
      return .rejected((error as? Stop)?.reasons ?? [])
    }
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private func fail() throws -> Never { throw Stop(reasons: peek == 0 ? [.nul] : [.notJSON]) }

  private mutating func blanks() {
    while let byte = peek, [32, 10, 13, 9].contains(byte) { index += 1 }
  }

  private mutating func need(_ text: String) throws {
    for byte in text.utf8 {
      if peek != byte { try fail() }
      output.append(byte)
      index += 1
    }
  }

  private mutating func value(_ depth: Int) throws {
    switch peek.map({ Character(Unicode.Scalar($0)) }) {
    case "{":
      if depth > 90 { throw Stop(reasons: [.tooDeep]) }
      try members(depth)
    case "[":
      if depth > 90 { throw Stop(reasons: [.tooDeep]) }
      try need("[")
      blanks()
      if peek != UInt8(ascii: "]") {
        while true {
          blanks()
          try value(depth + 1)
          blanks()
          if peek != UInt8(ascii: ",") { break }
          try need(",")
        }
      }
      try need("]")
    case "\"": _ = try string()
    case "t": try need("true")
    case "f": try need("false")
    case "n": try need("null")
    default: try number()
    }
  }

  private mutating func members(_ depth: Int) throws {
    try need("{")
    blanks()
    var names: [[UInt16]] = []
    if peek != UInt8(ascii: "}") {
      while true {
        blanks()
        let name = try string()
        if names.contains(name) { concerns.insert(.duplicateMembers) }
        names.append(name)
        blanks()
        try need(":")
        blanks()
        try value(depth + 1)
        blanks()
        if peek != UInt8(ascii: ",") { break }
        try need(",")
      }
    }
    try need("}")
  }

  /// Returns the UTF-16 code units.
  private mutating func string() throws -> [UInt16] {
    try need("\"")
    var units: [UInt16] = []
    var raw: [UInt8] = []
    func flush() throws {
      guard let text = String(validating: raw, as: UTF8.self) else { throw Stop(reasons: [.notUTF8, .notJSON, .nul]) }
      units += Array(text.utf16)
    }
    while let byte = peek, byte != UInt8(ascii: "\"") {
      if byte < 32 {
        try flush()
        try fail()
      }
      if byte != UInt8(ascii: "\\") {
        raw.append(byte)
        output.append(byte)
        index += 1
        continue
      }
      try flush()
      raw = []
      try need("\\")
      guard let letter = peek, let plain = Array("\"\\/bfnrtu".utf8).firstIndex(of: letter) else { throw Stop(reasons: [.notJSON]) }
      output.append(letter)
      index += 1
      if plain < 8 {
        units.append([34, 92, 47, 8, 12, 10, 13, 9][plain])
      } else {
        let digits = bytes[index...].prefix(4)
        let text = String(decoding: digits, as: UTF8.self)
        guard digits.count == 4, digits.allSatisfy({ hexDigitValue($0) != nil }), let unit = UInt16(text, radix: 16) else {
          throw Stop(reasons: [.notJSON])
        }
        if unit == 0 { concerns.insert(.nul) }
        units.append(unit)
        output += digits
        index += 4
      }
    }
    try flush()
    try need("\"")
    if String(validating: units, as: UTF16.self) == nil { concerns.insert(.loneSurrogate) }
    return units
  }

  private mutating func number() throws {
    let start = index
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { (48...57).contains($0) } ?? false }
    func digits() throws {
      if !isDigit(peek) { try fail() }
      while isDigit(peek) { index += 1 }
    }
    if peek == UInt8(ascii: "-") { index += 1 }
    if peek == UInt8(ascii: "0") { index += 1 } else { try digits() }
    if isDigit(peek) { throw Stop(reasons: [.notJSON]) }
    var isInteger = true
    if peek == UInt8(ascii: ".") {
      isInteger = false
      index += 1
      try digits()
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      isInteger = false
      index += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isInteger {
      if Int64(text).map({ abs($0) > 9_007_199_254_740_991 }) ?? true { concerns.insert(.integerOutOfRange) }
    } else if let double = Double(text), double.isInfinite {
      concerns.insert(.numberOverflow)
    }
    output += bytes[start..<index]
  }
}
