import Jansson

@testable import OAuthCore

/// Property lists and key-value forms: what is read can be written and read again, and no document type declaration with entities passes.
struct PropertyListTarget: FuzzTarget {
  static let name = "plist"

  func run(_ input: [UInt8]) {
    checkEvents(input)
    if let all = try? PropertyList.dictionary(input) {
      // A real number may have another text.
      let members = all.filter { if case .real = $0.value { false } else { true } }
      let again = try? PropertyList.dictionary(Self.written(members))
      require(JSON.object(again ?? []) == JSON.object(members), "the members are \(members), and then \(again ?? [])")
      if !input.starts(with: [0xEF, 0xBB, 0xBF]), !input.starts(with: "<?xml".utf8) {
        let declared = Array(#"<!DOCTYPE plist [<!ENTITY e "x">]>"#.utf8) + input
        let failure = outcome { () throws(PropertyList.Fault) in try PropertyList.dictionary(declared) }.failure
        require(failure == .xml(.doctype), "a document type declaration passes")
      }
    }
    if let pairs = try? KeyValueForm.decode(input) {
      require(Set(pairs.map(\.name)).count == pairs.count, "a name occurs twice")
      let form = pairs.map { "\($0.name):\($0.value)\n" }.joined()
      let again = (try? KeyValueForm.decode(Array(form.utf8))) ?? []
      require(again.elementsEqual(pairs) { $0.name == $1.name && $0.value == $1.value }, "the pairs change")
    }
  }

  /// Each start has its end.
  private func checkEvents(_ input: [UInt8]) {
    guard var reader = try? XMLReader(input) else { return }
    var (depth, roots, isWhole) = (0, 0, false)
    let failure = outcome { () throws(XMLReader.Fault) in
      while let event = try reader.next() {
        switch event {
        case .start(let name):
          if depth == 0 { roots += 1 }
          depth += 1
          require(!name.isEmpty, "a name is empty")
        case .text(let text): require(depth > 0 && !text.isEmpty, "text is outside the root")
        case .end:
          depth -= 1
          require(depth >= 0, "an end has no start")
        }
      }
      isWhole = true
    }.failure
    require(failure != nil || (isWhole && depth == 0 && roots == 1), "the document has \(roots) roots and \(depth) open elements")
  }

  private static func written(_ members: [JSON.Member]) -> [UInt8] {
    func escaped(_ text: String) -> String {
      text.unicodeScalars.map { scalar in
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        default: String(scalar)
        }
      }.joined()
    }
    let pairs = members.map { member in
      let value =
        switch member.value {
        case .string(let text): "<string>\(escaped(text))</string>"
        case .integer(let number): "<integer>\(number)</integer>"
        case .bool(let flag): flag ? "<true/>" : "<false/>"
        default: ""
        }
      return "<key>\(escaped(member.name))</key>\(value)"
    }
    return Array("<plist><dict>\(pairs.joined())</dict></plist>".utf8)
  }
}
