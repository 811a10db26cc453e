import Jansson
import Testing

private enum Size: String, StringEnum {
  static let schemaName: String? = nil
  case small
  case large
}

private struct Inner: FieldObject {
  static let schemaName: String? = nil
  static var placeholder: Inner { Inner(x: 0) }

  var x: Int

  init(x: Int) { self.x = x }

  init(_ fields: inout ObjectReader) throws(FieldError) {
    x = try fields.required("x/~", "A number.")
    if !fields.isDescribing, x < 0 { throw FieldError(fields.pointer("x/~"), "must be positive") }
  }

  func write(to writer: inout JSONWriter) { writer.integer(x) }
}

/// Reads one member of every kind.
private struct Sample: FieldReadable {
  var name: String
  var seconds: Int?
  var size: Size?
  var inner: Inner?
  var list: [Inner]?
  var anything: JSON?

  init(_ fields: inout ObjectReader) throws(FieldError) {
    name = try fields.required("name", "Its name.")
    seconds = try fields.optional("seconds", in: 1...60, "How long.")
    size = try fields.optional("size", "How large.")
    inner = try fields.optional("inner", "What is inside.")
    list = try fields.optional("list", "")
    anything = try fields.optional("anything", "")
    guard fields.isDescribing || !name.isEmpty else { throw FieldError(fields.pointer("name"), "is empty") }
  }
}

@Suite struct FieldsTests {
  private func decode(_ text: String) throws -> Sample { try Sample.decode(try JSON.parse(Array(text.utf8))) }

  private func error(_ text: String) throws -> FieldError? {
    do {
      _ = try decode(text)
      return nil
    } catch let error as FieldError {
      return error
    }
  }

  private func positions(_ values: JSON...) throws(FieldError) -> Sample {
    var fields = ObjectReader(positions: values)
    return try Sample.read(&fields, rejectingUnknownMembers: true)
  }

  @Test func everythingIsRead() throws {
    let sample = try decode(
      #"{"list":[{"x/~":1},{"x/~":2}],"name":"n","seconds":60,"size":"large","inner":{"x/~":5},"anything":{"y":[]}}"#)
    #expect(sample.name == "n" && sample.seconds == 60 && sample.size == .large && sample.inner?.x == 5)
    #expect(sample.list?.map(\.x) == [1, 2] && sample.anything == ["y": []])
  }

  @Test func whatIsOptionalMayBeAbsentOrNull() throws {
    for text in [#"{"name":"n"}"#, #"{"name":"n","seconds":null,"size":null,"inner":null,"list":null}"#] {
      let sample = try decode(text)
      #expect(sample.seconds == nil && sample.size == nil && sample.inner == nil && sample.list == nil && sample.anything == nil)
    }
    #expect(try decode(#"{"name":"n","anything":null}"#).anything == .null)
  }

  @Test(arguments: [
    ("{}", "/name", "is missing"), ("[]", "/name", "is missing"), (#"{"name":null}"#, "/name", "is missing"),
    (#"{"name":""}"#, "/name", "is empty"), (#"{"name":1}"#, "/name", "must be a string, not an integer"),
    (#"{"name":"n","seconds":0}"#, "/seconds", "must be from 1 to 60"),
    (#"{"name":"n","seconds":61}"#, "/seconds", "must be from 1 to 60"),
    (#"{"name":"n","seconds":1.5}"#, "/seconds", "must be an integer, not a number with a fraction"),
    (#"{"name":"n","seconds":"5"}"#, "/seconds", "must be an integer, not a string"),
    (#"{"name":"n","size":"huge"}"#, "/size", "must be one of small, large"),
    (#"{"name":"n","size":1}"#, "/size", "must be one of small, large"),
    (#"{"name":"n","inner":{"y":1}}"#, "/inner/y", "is unknown"),
    (#"{"name":"n","inner":{"x/~":-1}}"#, "/inner/x~1~0", "must be positive"),
    (#"{"name":"n","inner":{"x/~":1,"a~/b":2}}"#, "/inner/a~0~1b", "is unknown"),
    (#"{"name":"n","inner":[1]}"#, "/inner", "must be an object, not an array"),
    (#"{"name":"n","inner":[]}"#, "/inner/x~1~0", "is missing"),
    (#"{"name":"n","list":[{"x/~":1},{"x/~":true}]}"#, "/list/1/x~1~0", "must be an integer, not a boolean"),
    (#"{"name":"n","list":[{"x/~":1},null]}"#, "/list/1", "must be an object, not null"),
    (#"{"name":"n","nmae":1}"#, "/nmae", "is unknown"), (#"{"name":"n","Name":1}"#, "/Name", "is unknown"),
    (#"{"nmae":"n"}"#, "/nmae", "is unknown: did you mean \"name\"?"),
    (#"{"name":"n","Seconds":1}"#, "/Seconds", "is unknown: did you mean \"seconds\"?"),
    (#"{"name":"n","":1}"#, "/", "is unknown"), (#"{"name":"n","x":null}"#, "/x", "is unknown"),
    ("1", "", "must be an object, not an integer"), ("[1]", "", "must be an object, not an array"),
  ])
  func whatIsWrongIsNamedByItsPath(text: String, path: String, problem: String) throws {
    #expect(try error(text) == FieldError(path, problem))
  }

  @Test func aSlashWithACombiningMarkIsStillASlash() {
    #expect(ObjectReader([], path: "/a").pointer("/\u{301}~\u{301}") == "/a/~1\u{301}~0\u{301}")
  }

  @Test func aNameOfMegabytesIsNotRepeated() throws {
    let found = try #require(try error(#"{"name":"n","\#(String(repeating: "x", count: 1 << 20))":1}"#))
    #expect(found.message.utf8.count < 200 && found.path == "/" + String(repeating: "x", count: 97) + "…")
  }

  @Test func messagesAreSentencesWithoutTheValue() throws {
    #expect(FieldError("", "must be an object").message == "the object must be an object")
    #expect(FieldError("/a", "is missing").message == "/a is missing")
    for text in [#"{"name":"n","seconds":"s3cret"}"#, #"{"name":"n","size":"s3cret"}"#, #"{"name":"n","list":"s3cret"}"#] {
      #expect(try #require(try error(text)).message.contains("s3cret") == false)
    }
  }

  @Test(arguments: [1, 63, 64, 65, 66, 130])
  func anUnknownMemberIsFoundAmongMany(count: Int) throws {
    let members = (0..<count).map { JSON.Member("m\($0)", .integer($0)) }
    for unknown in [nil, 0, count / 2, count - 1] {
      var fields = ObjectReader(members)
      let read = (0..<count).reversed().filter { $0 != unknown }
      for number in read { #expect(try fields.required("m\(number)", "") as Int == number) }
      #expect(fields.mayHaveUnknownMembers || unknown == nil)
      do {
        try fields.rejectUnknownMembers(among: read.map { "m\($0)" })
        #expect(unknown == nil)
      } catch {
        #expect(error.path == unknown.map { "/m\($0)" })
      }
    }
  }

  @Test func positionsMapOntoTheDeclaredOrder() throws {
    let sample = try positions("n", 5, "small", ["x/~": 3], [["x/~": 4]], .null)
    #expect(sample.name == "n" && sample.seconds == 5 && sample.size == .small && sample.inner?.x == 3)
    #expect(sample.list?.map(\.x) == [4] && sample.anything == .null)
    let short = try positions("n", .null)
    #expect(short.seconds == nil && short.anything == nil)
  }

  @Test func positionsThatAreWrongAreNamedByTheirNumber() {
    #expect(throws: FieldError("/1", "must be an integer, not a string")) { try positions("n", "x") }
    #expect(throws: FieldError("/4/0/x~1~0", "must be an integer, not a string")) { try positions("n", 1, .null, .null, [["x/~": "a"]]) }
    #expect(throws: FieldError("/6", "is one param too many: there are only 6")) {
      try positions("n", 1, .null, .null, .null, 1, .null)
    }
    #expect(throws: FieldError("/name", "is missing")) { try positions() }
    #expect(throws: FieldError("/name", "is missing")) { try positions(.null, 1) }
  }

  @Test func describingReadsNothingAndNeverThrows() throws {
    let declarations = try Sample.declarations
    #expect(declarations.map(\.name) == ["name", "seconds", "size", "inner", "list", "anything"])
    #expect(declarations.map(\.isRequired) == [true, false, false, false, false, false])
    #expect(declarations.map(\.documentation) == ["Its name.", "How long.", "How large.", "What is inside.", "", ""])
    let inner: JSON = [
      "type": "object", "properties": ["x/~": ["type": "integer", "description": "A number."]], "required": ["x/~"],
      "additionalProperties": false,
    ]
    let optional: JSON = [
      "type": ["object", "null"], "properties": ["x/~": ["type": "integer", "description": "A number."]], "required": ["x/~"],
      "additionalProperties": false,
    ]
    #expect(
      declarations.map(\.schema) == [
        ["type": "string"], ["type": ["integer", "null"], "minimum": 1, "maximum": 60],
        ["type": ["string", "null"], "enum": ["small", "large", .null]], optional, ["type": ["array", "null"], "items": inner], .object([]),
      ])
  }

  @Test func aSchemaSaysWhatTheReaderReads() throws {
    let open = ObjectReader.objectSchema(try Sample.declarations, isClosed: false)
    #expect(open["additionalProperties"] == nil && open["required"] == ["name"])
    #expect(open["properties"]?["seconds"]?["description"] == "How long.")
    #expect(open["properties"]?["list"]?["description"] == nil)
  }
}
