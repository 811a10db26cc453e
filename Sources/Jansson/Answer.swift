/// An object that we say: a result, an event's params, an error's data. It lists its members once, for writing and for describing.
package protocol Answer: Sendable {
  /// Any value of the type, from which `Members` takes the types while it describes.
  static var sample: Self { get }
  /// The object's schema; made from what `list` says unless the object is somebody else's.
  static var schema: JSON { get }
  func list(_ members: inout Members)
}

/// Where an `Answer` puts its members: text while writing, declarations while describing.
package struct Members {
  private var writer: JSONWriter?
  package private(set) var declarations: [Fields.Declaration] = []

  package init(writing: Void) {
    var writer = JSONWriter()
    writer.beginObject()
    self.writer = writer
  }

  package init(describing: Void) { writer = nil }

  /// Ends the object and gives its text away; taken rather than copied, because a body of megabytes may stand in it.
  package mutating func end() -> [UInt8] {
    guard var writer = writer.take() else { return [] }
    writer.endObject()
    return writer.bytes
  }

  package mutating func add<Value: FieldValue>(_ name: String, _ value: Value, _ documentation: String) {
    if writer == nil {
      declarations.append(.init(name: name, isRequired: true, schema: Value.schema, documentation: documentation))
    } else {
      writer?.name(name)
      if var current = writer.take() {
        value.write(to: &current)
        writer = current
      }
    }
  }

  /// A member that is left out where there is no value; `null` is never written in its place.
  package mutating func add<Value: FieldValue>(optional name: String, _ value: Value?, _ documentation: String) {
    if writer == nil {
      declarations.append(.init(name: name, isRequired: false, schema: Value.schema, documentation: documentation))
    } else if let value {
      add(name, value, documentation)
    }
  }
}

extension Answer {
  /// The object as JSON text.
  package var text: [UInt8] {
    var members = Members(writing: ())
    list(&members)
    return members.end()
  }

  package static var schema: JSON {
    var members = Members(describing: ())
    sample.list(&members)
    return Fields.objectSchema(members.declarations, isClosed: true)
  }
}
