import Jansson
import Testing

private enum Word: String, StringEnum {
  case first = "first-one"
  case second
}

@Suite struct FieldValueTests {
  private func text(_ value: some FieldValue) -> String {
    var writer = JSONWriter()
    value.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func wholeNumbersMayBeWrittenWithAFraction() throws {
    #expect(try Int.read(.real(5), at: "") == 5)
    #expect(try Int.read(.real(-0.0), at: "") == 0)
    #expect(try Int.read(.real(9_007_199_254_740_991), at: "") == 9_007_199_254_740_991)
    #expect(throws: FieldError.self) { try Int.read(.real(9_007_199_254_740_992), at: "") }
    for value in [5.5, 1e300, -1e300, .infinity, .nan] {
      #expect(throws: FieldError("/p", "must be an integer, not a number with a fraction")) { try Int.read(.real(value), at: "/p") }
    }
  }

  @Test func otherKindsAreRejected() {
    for json in [JSON.null, 1, "true", [true]] {
      #expect(throws: FieldError("/p", "must be true or false, not \(json.kind)")) { try Bool.read(json, at: "/p") }
    }
    for json in [JSON.null, 1, true, ["a"]] {
      #expect(throws: FieldError("/p", "must be a string, not \(json.kind)")) { try String.read(json, at: "/p") }
    }
    for json in [JSON.null, 1, "a", ["a": 1]] {
      #expect(throws: FieldError("/p", "must be an array, not \(json.kind)")) { try [JSON].read(json, at: "/p") }
    }
  }

  @Test func anEmptyListMayBeWrittenAsAnObject() throws {
    #expect(try [String].read(.object([]), at: "") == [])
    #expect(try [String].read(["a", "b"], at: "") == ["a", "b"])
  }

  @Test func namedValuesKeepTheirOrder() throws {
    let values = try NamedValues<Int>.read(["b": 1, "a": 2, "": 3], at: "")
    #expect(values.pairs.map(\.name) == ["b", "a", ""] && values["a"] == 2 && values[""] == 3 && values["c"] == nil)
    #expect(text(values) == #"{"b":1,"a":2,"":3}"#)
    #expect(NamedValues<Int>.schema == ["type": "object", "additionalProperties": ["type": "integer"]])
  }

  @Test func noNamedValuesMayBeWrittenAsAnArray() throws {
    #expect(try NamedValues<Int>.read([], at: "").pairs.isEmpty)
    #expect(try NamedValues<Int>.read(.object([]), at: "").pairs.isEmpty)
    for json in [JSON.null, "a", [1]] {
      #expect(throws: FieldError("/p", "must be an object, not \(json.kind)")) { try NamedValues<Int>.read(json, at: "/p") }
    }
  }

  @Test func aNamedValueThatIsWrongIsNamedByItsPath() {
    #expect(throws: FieldError("/p/b", "must be an integer, not a string")) { try NamedValues<Int>.read(["a": 1, "b": "x"], at: "/p") }
    #expect(throws: FieldError("/p/a~1b~0", "must be an integer, not null")) { try NamedValues<Int>.read(["a/b~": .null], at: "/p") }
  }

  @Test func wordsAreReadAndWrittenBySpelling() throws {
    #expect(try Word.read("first-one", at: "") == .first)
    #expect(text(Word.first) == #""first-one""#)
    #expect(Word.schema == ["type": "string", "enum": ["first-one", "second"]])
    #expect(throws: FieldError("/w", "must be one of first-one, second")) { try Word.read("First-one", at: "/w") }
    #expect(throws: FieldError("/w", "must be one of first-one, second")) { try Word.read(.null, at: "/w") }
  }

  @Test func placeholdersFitTheirSchemas() {
    #expect(text(String.placeholder) == "\"\"" && text(Int.placeholder) == "0" && text(Bool.placeholder) == "false")
    #expect(text([Int].placeholder) == "[]" && text(NamedValues<Int>.placeholder) == "{}" && text(Word.placeholder) == "\"first-one\"")
    #expect(text(JSON.placeholder) == "null")
  }

  @Test func aDocLineIsAddedOnceAndOnlyWhereThereIsOne() {
    let schema = String.schema.described("First.")
    #expect(schema == ["type": "string", "description": "First."])
    #expect(schema.described("Second.") == schema)
    #expect(String.schema.described("") == String.schema)
  }
}
