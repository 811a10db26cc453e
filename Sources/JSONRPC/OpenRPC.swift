import Jansson

/// The OpenRPC document of a table of methods, made from the declarations that read their params, as one line of compact JSON.
///
/// The version is 1.3.2 because current tools support no later one. The schemas are draft-07 for the same reason. OpenRPC has no place for events and
/// for the schema of an error's data, so they are in `x-notifications` and `x-errorData`.
package struct OpenRPC {
  package var title: String
  package var version: String
  package var description: String
  /// An error: its code, kind, sentence, and the members of its data besides the kind.
  package typealias ErrorDeclaration = (code: Int, kind: String, message: String, members: [ObjectReader.Declaration])

  package var errors: [ErrorDeclaration]

  package init(title: String, version: String, description: String, errors: [ErrorDeclaration]) {
    (self.title, self.version, self.description, self.errors) = (title, version, description, errors)
  }

  package func document<Context>(_ methods: [MethodEntry<Context>], events: [any Event.Type]) throws -> JSON {
    // Code generators read the texts of an enum's words under this name.
    var schemas = SchemaDefinitions(at: "#/components/schemas/", enumDescriptions: "x-enum-descriptions")
    let methods = try schemas.moving(.array(try methods.map(method)))
    let notifications = try schemas.moving(.array(events.map(notification)))
    let data = try schemas.moving(.object(errors.map { JSON.Member($0.kind, errorData($0)) }))
    return [
      "openrpc": "1.3.2",
      "info": ["title": .string(title), "version": .string(version), "description": .string(description)],
      "methods": methods,
      "components": ["schemas": .object(schemas.members), "errors": .object(errors.map { JSON.Member($0.kind, error($0)) })],
      "x-notifications": notifications,
      "x-errorData": data,
    ]
  }

  private func method<Context>(_ entry: MethodEntry<Context>) throws -> JSON {
    let type = entry.type
    var members: [JSON.Member] = [
      .init("name", .string(entry.name)), .init("summary", .string(type.summary)), .init("paramStructure", "either"),
      .init("params", .array(try type.declarations.map(parameter))),
      .init("result", ["name": "result", "schema": type.result]),
    ]
    // In the order of their codes. Whole, because some readers of OpenRPC accept no references here.
    let errors = errors.filter { type.errors.contains($0.kind) }
    if !errors.isEmpty { members.append(.init("errors", .array(errors.map(error)))) }
    if let example = type.example { members.append(.init("examples", [try pairing(example)])) }
    if !type.rejectsUnknownMembers { members.append(.init("x-acceptsUnknownParams", true)) }
    return .object(members)
  }

  private func parameter(_ declaration: ObjectReader.Declaration) -> JSON {
    [
      "name": .string(declaration.name), "description": .string(declaration.documentation),
      "required": .bool(declaration.isRequired), "schema": declaration.schema,
    ]
  }

  private func pairing(_ example: MethodExample) throws -> JSON {
    let params = try JSON.parse(Array(example.params.utf8)).members ?? []
    var members: [JSON.Member] = [
      .init("name", "call"), .init("params", .array(params.map { ["name": .string($0.name), "value": $0.value] })),
    ]
    if let result = example.result { members.append(.init("result", ["name": "result", "value": try JSON.parse(Array(result.utf8))])) }
    return .object(members)
  }

  /// Returns an error object. OpenRPC allows only example data here, so `x-errorData` has the schema.
  private func error(_ error: ErrorDeclaration) -> JSON {
    ["code": .integer(error.code), "message": .string(error.message), "data": ["kind": .string(error.kind)]]
  }

  private func errorData(_ error: ErrorDeclaration) -> JSON {
    let kind = ObjectReader.Declaration("kind", always: error.kind, "The error's kind.")
    let schema = ObjectReader.objectSchema([kind] + error.members, isClosed: true)
    return schema.named(error.kind.prefix(1).uppercased() + error.kind.dropFirst() + "Data")
  }

  private func notification(_ event: any Event.Type) -> JSON {
    var members = ObjectWriter(describing: ())
    members.add("seq", 0, "The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps.")
    Self.list(event, &members)
    return [
      "name": .string(event.name), "summary": .string(event.summary),
      "params": ObjectReader.objectSchema(members.declarations, isClosed: true).named(event.schemaName),
    ]
  }

  private static func list<E: Event>(_ type: E.Type, _ members: inout ObjectWriter) { E.sample.list(&members) }
}
