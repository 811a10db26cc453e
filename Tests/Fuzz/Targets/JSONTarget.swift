import TestSupport

@testable import Jansson

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The parser, the writer and the scanner of JSON. Two independent parsers must agree, and what is written is read again unchanged.
struct JSONTarget: FuzzTarget {
  static let name = "json"

  /// Reads the folders that `FUZZ_JSON_CASES` names, separated by colons.
  ///
  /// A file whose name begins with `y_` must be accepted and one with `n_` rejected, as in JSONTestSuite. Any other file may be either.
  init() throws {
    for folder in getenv("FUZZ_JSON_CASES").map({ String(cString: $0) })?.split(separator: ":") ?? [] {
      guard let directory = opendir(String(folder)) else { fatalError("\(folder) cannot be read") }
      defer { closedir(directory) }
      var (accepted, rejected) = (0, 0)
      while let entry = readdir(directory) {
        let file = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard file.hasPrefix("y_") || file.hasPrefix("n_") else { continue }
        let bytes = Self.bytes(of: "\(folder)/\(file)")
        let isWanted = file.hasPrefix("y_")
        let parsed = outcome { () throws(JSONFault) in try JSON.parse(bytes) }
        // After a number or a name that is rejected, the rest of the text is unread.
        let isRight = isWanted ? parsed.failure.map(Self.isJSON) ?? true : parsed.failure != nil
        require(isRight, "\(file): the parser says \(parsed)")
        let scanned = JSON.Scan.splice(bytes)
        require(Self.isJSON(scanned, bytes) == isWanted, "\(file): the scanner does not do that, but \(scanned)")
        if isWanted { accepted += 1 } else { rejected += 1 }
      }
      require(accepted > 0 && rejected > 0, "\(folder) has no cases")
      print("\(folder): \(accepted) texts are accepted and \(rejected) are rejected, as their names say")
    }
  }

  func run(_ input: [UInt8]) {
    let scanned = JSON.Scan.splice(input)
    let verdict = JSONOracle.judge(input)
    require(verdict.allows(scanned), "the scanner says \(scanned), the oracle \(verdict)")
    switch outcome({ () throws(JSONFault) in try JSON.parse(input) }) {
    case .success(let value):
      require(Self.isJSON(scanned, input) || scanned == .failure(.tooDeep), "only the parser accepts it")
      if case .success(let compact) = scanned { require((try? JSON.parse(compact)) == value, "the compact text means something else") }
      let text = value.text
      require((try? JSON.parse(text)) == value, "the written text is read otherwise")
      require(!text.contains { $0 < 0x20 } && String(validating: text, as: UTF8.self) != nil, "the written text is not one line of UTF-8")
      checkEnvelope(input, value)
    case .failure(let fault):
      if case .success = scanned { fatalError("only the scanner accepts it: \(fault)") }
      checkPosition(fault, in: input)
    }
  }

  /// The position of a fault is in the text or at its end.
  private func checkPosition(_ fault: JSONFault, in input: [UInt8]) {
    switch fault {
    case .syntax(let position, _), .duplicateMember(let position), .nulInName(let position):
      require((0...input.count).contains(position), "the position \(position) is outside the text")
    case .numberOutOfRange:
      let position = JSON.positionOfLargeNumber(input)
      require(input.indices.contains(position), "the number is nowhere")
      require(input[position] == UInt8(ascii: "-") || isASCIIDigit(input[position]), "there is no number at \(position)")
    case .tooDeep: break
    }
  }

  /// Without its params, a message keeps the three members that its answer needs.
  private func checkEnvelope(_ input: [UInt8], _ value: JSON) {
    guard case .object(let members) = value, !members.isEmpty, let envelope = JSON.withoutParams(input) else { return }
    let kept = try? JSON.parse(envelope)
    let wanted = members.map { member in
      // A name with an escape is another text, though it may be the same name.
      let isKept = ["jsonrpc", "id", "method"].contains(member.name) && kept?[member.name] != .null
      return JSON.Member(member.name, isKept ? member.value : .null)
    }
    require(kept == .object(wanted), "the envelope is \(envelope.text)")
    for name in ["jsonrpc", "id", "method"] where input.text.contains("\"\(name)\"") && !input.contains(UInt8(ascii: "\\")) {
      if let member = value[name] { require(kept?[name] == member, "the envelope lost \(name)") }
    }
  }

  /// Whether the text is JSON, although it may be rejected for another reason.
  private static func isJSON(_ scanned: Result<[UInt8], JSON.Scan.Reason>, _ text: [UInt8]) -> Bool {
    switch scanned {
    case .success, .failure(.duplicateMembers), .failure(.integerOutOfRange), .failure(.numberOverflow), .failure(.loneSurrogate): true
    // U+0000 is allowed as an escape only.
    case .failure(.nul): !text.contains(0)
    case .failure: false
    }
  }

  private static func isJSON(_ fault: JSONFault) -> Bool {
    switch fault {
    case .duplicateMember, .nulInName, .numberOutOfRange: true
    case .syntax, .tooDeep: false
    }
  }

  private static func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { fatalError("\(path) cannot be read") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    return bytes
  }
}
