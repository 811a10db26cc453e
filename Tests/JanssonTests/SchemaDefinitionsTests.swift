import Jansson
import Testing

private enum Speed: String, StringEnum {
  static let schemaName: String? = "Speed"

  case fast, slow

  var documentation: String {
    switch self {
    case .fast: "It takes a second."
    case .slow: "It takes a minute."
    }
  }
}

private struct Wheel: FieldObject {
  static let schemaName: String? = "Wheel"
  static let placeholder = Wheel(speed: .fast)

  var speed: Speed

  init(speed: Speed) { self.speed = speed }

  init(_ fields: inout ObjectReader) throws(FieldError) {
    speed = try fields.optional("speed", default: .slow, "How fast it turns.")
  }

  func write(to writer: inout JSONWriter) { writer.null() }
}

private struct Car: FieldReadable {
  var wheel: Wheel
  var spare: Wheel?
  var others: [Wheel]
  var seconds: Int
  var names: NamedValues<String>
  var limit: Int?

  init(_ fields: inout ObjectReader) throws(FieldError) {
    wheel = try fields.required("wheel", "The first wheel.")
    spare = try fields.optional("spare", "The last wheel.")
    others = try fields.optional("others", default: [], "")
    seconds = try fields.optional("seconds", in: 1...90, default: 60, "How long it drives.")
    names = try fields.optional("names", default: NamedValues([("a", "b")]), "")
    limit = try fields.optional("limit", in: 1...9, "")
  }
}

/// Another type with the name of `Wheel`.
private enum Disc: String, StringEnum {
  static let schemaName: String? = "Wheel"

  case round
}

@Suite struct SchemaDefinitionsTests {
  private func read(_ json: JSON) throws -> Car { try Car.decode(json) }

  @Test func anAbsentMemberHasItsDefault() throws {
    for json: JSON in [["wheel": .object([])], ["wheel": ["speed": .null], "others": .null, "seconds": .null, "names": .null]] {
      let car = try read(json)
      #expect(car.wheel.speed == .slow && car.others.isEmpty && car.seconds == 60 && car.names["a"] == "b" && car.limit == nil)
    }
    let car = try read(["wheel": ["speed": "fast"], "seconds": 90, "names": ["c": "d"], "limit": 9])
    #expect(car.wheel.speed == .fast && car.seconds == 90 && car.names["a"] == nil && car.limit == 9)
    #expect(throws: FieldError("/seconds", "must be from 1 to 90")) { try read(["wheel": .object([]), "seconds": 91]) }
  }

  @Test func aDefaultIsData() throws {
    let properties = try #require(ObjectReader.objectSchema(try Car.declarations, isClosed: true)["properties"])
    #expect(
      properties["seconds"]
        == ["type": ["integer", "null"], "minimum": 1, "maximum": 90, "default": 60, "description": "How long it drives."])
    #expect(properties["others"]?["default"] == [] && properties["names"]?["default"] == ["a": "b"])
    let names: JSON = ["type": "object", "additionalProperties": ["type": "string"]]
    #expect(properties["names"]?["anyOf"] == [names, ["type": "null"]])
    #expect(properties["limit"]?["default"] == nil && properties["spare"]?["default"] == nil)
  }

  @Test func aNamedSchemaIsThereOnce() throws {
    var definitions = SchemaDefinitions(at: "#/definitions/")
    let moved = try definitions.moving(ObjectReader.objectSchema(try Car.declarations, isClosed: true))
    let properties = try #require(moved["properties"])
    #expect(properties["wheel"] == ["$ref": "#/definitions/Wheel", "description": "The first wheel."])
    #expect(
      properties["spare"] == ["anyOf": [["$ref": "#/definitions/Wheel"], ["type": "null"]], "description": "The last wheel."])
    #expect(properties["others"]?["items"] == ["$ref": "#/definitions/Wheel"])
    let wheel: JSON = [
      "type": "object",
      "properties": [
        "speed": [
          "anyOf": [["$ref": "#/definitions/Speed"], ["type": "null"]], "default": "slow", "description": "How fast it turns.",
        ]
      ],
      "additionalProperties": false,
    ]
    let speed: JSON = ["type": "string", "enum": ["fast", "slow"], "enumDescriptions": ["It takes a second.", "It takes a minute."]]
    #expect(definitions.members == [.init("Speed", speed), .init("Wheel", wheel)])
  }

  @Test func wordsAreDescribedUnderTheDocumentsName() throws {
    var definitions = SchemaDefinitions(at: "#/", enumDescriptions: "x-enum-descriptions")
    _ = try definitions.moving(Speed.reference)
    #expect(definitions.members.first?.value["x-enum-descriptions"]?.array?.count == 2)
    #expect(definitions.members.first?.value["enumDescriptions"] == nil)
  }

  @Test func twoSchemasWithOneNameAreAFault() throws {
    var definitions = SchemaDefinitions(at: "#/definitions/")
    #expect(try definitions.moving(Wheel.reference) == definitions.moving(Wheel.reference))
    #expect(throws: SchemaDefinitions.Conflict.self) { try definitions.moving(["anyOf": [Disc.reference]]) }
  }
}
