import Jansson

/// The OpenRPC 1.3.2 document of a table of methods, made from the declarations that read their params, in one line of compact JSON.
///
/// It says 1.3.2 because today's tools know no later version; schemas are draft-07 for the same reason. OpenRPC has no place for events: they stand in
/// `x-notifications`, and what errors have in their data in `x-errorMembers`.
package struct OpenRPC {
  package var title: String
  package var version: String
  package var description: String
  /// One error: its code, kind and sentence, and what its data may have beside the kind, in words by name.
  package typealias ErrorDeclaration = (code: Int, kind: String, message: String, members: [(name: String, documentation: String)])

  package var errors: [ErrorDeclaration]

  package init(title: String, version: String, description: String, errors: [ErrorDeclaration]) {
    self.title = title
    self.version = version
    self.description = description
    self.errors = errors
  }

  package func document<Context>(_ methods: [MethodEntry<Context>], events: [any Event.Type]) throws -> JSON {
    [
      "openrpc": "1.3.2",
      "info": ["title": .string(title), "version": .string(version), "description": .string(description)],
      "methods": .array(try methods.map(method)),
      "components": ["errors": .object(errors.map { JSON.Member($0.kind, error($0)) })],
      "x-notifications": .array(events.map(notification)),
      "x-errorMembers": .object(errors.map { JSON.Member($0.kind, described($0.members)) }),
    ]
  }

  private func method<Context>(_ entry: MethodEntry<Context>) throws -> JSON {
    let description = try entry.describe()
    var members: [JSON.Member] = [
      .init("name", .string(entry.name)), .init("summary", .string(entry.summary)), .init("paramStructure", "either"),
      .init("params", .array(description.params.map(parameter))),
      .init("result", ["name": "result", "schema": description.result]),
    ]
    if description.acceptsStrays { members.append(.init("x-acceptsUnknownParams", true)) }
    return .object(members)
  }

  private func parameter(_ declaration: Fields.Declaration) -> JSON {
    [
      "name": .string(declaration.name), "description": .string(declaration.documentation),
      "required": .bool(declaration.isRequired), "schema": declaration.schema,
    ]
  }

  /// OpenRPC has an example for the data, no schema, and no room for an extension; what members mean stands in `x-errorMembers`.
  private func error(_ error: ErrorDeclaration) -> JSON {
    ["code": .integer(error.code), "message": .string(error.message), "data": ["kind": .string(error.kind)]]
  }

  private func described(_ members: [(name: String, documentation: String)]) -> JSON {
    .object(members.map { JSON.Member($0.name, .string($0.documentation)) })
  }

  private func notification(_ event: any Event.Type) -> JSON {
    var members = Members(describing: ())
    members.add("seq", 0, "Counts up over all events, from 1.")
    Self.list(event, &members)
    return [
      "name": .string(event.name), "summary": .string(event.summary),
      "params": Fields.objectSchema(members.declarations, isClosed: true),
    ]
  }

  private static func list<E: Event>(_ type: E.Type, _ members: inout Members) {
    E.sample.list(&members)
  }
}
