import Jansson

/// The members of a server's answer in whatever form it came: a form (RFC 5849 §2.1, §2.3), JSON, or neither.
struct OAuth1Answer {
  let members: [OAuth1Parameter]
  /// The answer as JSON, where it is.
  let json: JSON?

  init(_ response: HTTPResponse) {
    // A byte order mark is no part of JSON (RFC 8259 §8.1), yet some servers send it.
    let body = response.body.starts(with: [0xEF, 0xBB, 0xBF]) ? response.body.dropFirst(3) : response.body[...]
    let first = body.first { $0 > 0x20 }
    if first == UInt8(ascii: "{") {
      let json = Self.json(Array(body))
      self.json = json
      members = (json.members ?? []).compactMap { member in
        switch member.value {
        case .string(let text): OAuth1Parameter(member.name, text)
        case .integer(let number): OAuth1Parameter(member.name, String(number))
        case .bool(let flag): OAuth1Parameter(member.name, flag ? "true" : "false")
        default: nil
        }
      }
    } else {
      json = nil
      // Neither a page nor a novel is a form.
      let isForm = first != nil && first != UInt8(ascii: "<") && body.count < 1 << 16
      members = isForm ? OAuth1Form.decode(body) : []
    }
  }

  /// The value of that name; where it stands several times, the last as GTMOAuth takes it.
  subscript(_ name: String) -> String? { members.last { $0.name == name }?.value }

  /// Whether it has two different values for the name, of which no two readers would be sure to take the same.
  func isAmbiguous(_ name: String) -> Bool { members.contains { $0.name == name && $0.value != self[name] } }

  private static func json(_ body: [UInt8]) -> JSON {
    do throws(JSONFault) {
      return try JSON.parse(body)
    } catch {
      // A number beyond 64 bits in some member is no reason to lose the token beside it.
      if case .numberOutOfRange(let rest?) = error { return rest }
      return .object([])
    }
  }
}
