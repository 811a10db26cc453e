import Jansson
import Testing

/// An answer with a member of every kind.
private struct Sample: JSONObjectConvertible {
  static var sample: Sample { Sample(name: "", count: nil) }

  var name: String
  var count: Int?

  func list(_ members: inout ObjectWriter) {
    members.add("name", name, "Its name.")
    members.add(optional: "count", count, "How many.")
    members.add("tags", ["a", name], "")
    members.add(optional: "more", nil as JSON?, "More of it.")
    members.add("named", NamedValues([("b", true), ("a", false)]), "")
  }
}

@Suite struct AnswerTests {
  @Test func membersAreWrittenInTheirOrder() {
    #expect(
      String(decoding: Sample(name: "n\"", count: 0).text, as: UTF8.self)
        == #"{"name":"n\"","count":0,"tags":["a","n\""],"named":{"b":true,"a":false}}"#)
  }

  @Test func missingValuesAreLeftOut() {
    #expect(
      String(decoding: Sample(name: "", count: nil).text, as: UTF8.self) == #"{"name":"","tags":["a",""],"named":{"b":true,"a":false}}"#)
  }

  @Test func theSchemaIsMadeOfWhatIsListed() throws {
    let wanted = """
      {"type":"object","properties":{"name":{"type":"string","description":"Its name."},"count":{"type":"integer","description":"How many."},\
      "tags":{"type":"array","items":{"type":"string"}},"more":{"description":"More of it."},\
      "named":{"type":"object","additionalProperties":{"type":"boolean"}}},"required":["name","tags","named"],"additionalProperties":false}
      """
    #expect(String(decoding: Sample.schema.text, as: UTF8.self) == wanted)
  }

  @Test func anObjectGoesOnWithTheTextBeforeIt() {
    var writer = JSONWriter(beginning: #"{"x":"#)
    var members = ObjectWriter(goingOnWith: &writer)
    #expect(writer.bytes.isEmpty)
    members.add("a", 1, "")
    members.end(givingBackTo: &writer)
    #expect(writer.bytes == Array(#"{"x":{"a":1}"#.utf8))
  }

  @Test func valuesOfTheTreeAreFound() {
    let json: JSON = ["a": 1, "b": "x", "c": [true], "d": .object([]), "e": .null]
    #expect(json["a"]?.integer == 1 && json["b"]?.string == "x" && json["c"]?.array == [true] && json["d"]?.members == [])
    #expect(json["e"] == .null)
    #expect(json["f"] == nil && JSON.array([])["a"] == nil && json["a"]?.string == nil && json["b"]?.integer == nil)
  }
}
