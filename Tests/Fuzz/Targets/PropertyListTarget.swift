import Jansson

@testable import OAuthCore

/// Property lists and key-value forms: what is read can be written and read again, and no document type declaration with entities passes.
struct PropertyListTarget: FuzzTarget {
  static let name = "plist"

  func run(_ input: [UInt8]) {
    if let members = try? PropertyList.dictionary(input) {
      let again = try? PropertyList.dictionary(Self.written(members))
      require(JSON.object(again ?? []) == JSON.object(members), "the members are \(members), and then \(again ?? [])")
      let declared = Array(#"<!DOCTYPE plist [<!ENTITY e "x">]>"#.utf8) + input
      require((try? PropertyList.dictionary(declared)) == nil, "a document type declaration passes")
    }
    if let pairs = try? OpenIDMessage(HTTPResponse(status: 200, body: input)).fields {
      require(Set(pairs.map(\.name)).count == pairs.count, "a name occurs twice")
      let form = pairs.map { "\($0.name):\($0.value)\n" }.joined()
      let again = (try? OpenIDMessage(HTTPResponse(status: 200, body: Array(form.utf8))).fields) ?? []
      require(again.elementsEqual(pairs) { $0.name == $1.name && $0.value == $1.value }, "the pairs change")
    }
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
