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
  @usableFromInline enum Mode { case writing, describing, ended }

  @usableFromInline var mode: Mode
  @usableFromInline var writer: JSONWriter
  package private(set) var declarations: [Fields.Declaration] = []

  package init(writing: Void) {
    mode = .writing
    writer = JSONWriter()
    writer.beginObject()
  }

  /// Goes on where `writer` stands, which is empty until it is given back at the end.
  init(goingOnWith writer: inout JSONWriter) {
    mode = .writing
    self.writer = JSONWriter(reserving: 0)
    swap(&self.writer, &writer)
    self.writer.beginObject()
  }

  package init(describing: Void) {
    mode = .describing
    writer = JSONWriter(reserving: 0)
  }

  /// Ends the object and gives its text away; taken rather than copied, because a body of megabytes may stand in it.
  package mutating func end() -> [UInt8] {
    guard mode == .writing else { return [] }
    var ended = JSONWriter(reserving: 0)
    end(givingBackTo: &ended)
    return ended.bytes
  }

  mutating func end(givingBackTo writer: inout JSONWriter) {
    swap(&self.writer, &writer)
    writer.endObject()
    mode = .ended
  }

  @inlinable package mutating func add<Value: FieldValue>(_ name: String, _ value: Value, _ documentation: String) {
    if mode == .describing { return declare(name, isRequired: true, Value.schema, documentation) }
    writer.name(name)
    value.write(to: &writer)
  }

  /// A member that is left out where there is no value; `null` is never written in its place.
  @inlinable package mutating func add<Value: FieldValue>(optional name: String, _ value: Value?, _ documentation: String) {
    if mode == .describing { return declare(name, isRequired: false, Value.schema, documentation) }
    if let value { add(name, value, documentation) }
  }

  // The usual types by name: the generic ones are not specialised from another target and would look up their optional's type with
  // every member.
  package mutating func add(_ name: String, _ value: String, _ documentation: String) { put(name, value, documentation) }
  package mutating func add(_ name: String, _ value: Bool, _ documentation: String) { put(name, value, documentation) }
  package mutating func add(_ name: String, _ value: Int, _ documentation: String) { put(name, value, documentation) }
  package mutating func add(optional name: String, _ value: String?, _ documentation: String) { put(optional: name, value, documentation) }
  package mutating func add(optional name: String, _ value: Bool?, _ documentation: String) { put(optional: name, value, documentation) }
  package mutating func add(optional name: String, _ value: Int?, _ documentation: String) { put(optional: name, value, documentation) }
  package mutating func add(optional name: String, _ value: [String]?, _ documentation: String) {
    put(optional: name, value, documentation)
  }
  package mutating func add(optional name: String, _ value: JSON?, _ documentation: String) { put(optional: name, value, documentation) }
  // To make this type, the runtime looks through all of the program's conformances.
  package mutating func add(optional name: String, _ value: NamedValues<String>?, _ documentation: String) {
    put(optional: name, value, documentation)
  }

  @inline(__always)
  private mutating func put<Value: FieldValue>(_ name: String, _ value: Value, _ documentation: String) {
    if mode == .describing { return declare(name, isRequired: true, Value.schema, documentation) }
    writer.name(name)
    value.write(to: &writer)
  }

  @inline(__always)
  private mutating func put<Value: FieldValue>(optional name: String, _ value: Value?, _ documentation: String) {
    if mode == .describing { return declare(name, isRequired: false, Value.schema, documentation) }
    guard let value else { return }
    writer.name(name)
    value.write(to: &writer)
  }

  @usableFromInline mutating func declare(_ name: String, isRequired: Bool, _ schema: JSON, _ documentation: String) {
    declarations.append(.init(name: name, isRequired: isRequired, schema: schema, documentation: documentation))
  }
}

extension Answer {
  /// The object as JSON text.
  package var text: [UInt8] {
    var members = Members(writing: ())
    list(&members)
    return members.end()
  }

  /// Writes the object where the writer stands.
  package func write(to writer: inout JSONWriter) {
    var members = Members(goingOnWith: &writer)
    list(&members)
    members.end(givingBackTo: &writer)
  }

  package static var schema: JSON {
    var members = Members(describing: ())
    sample.list(&members)
    return Fields.objectSchema(members.declarations, isClosed: true)
  }
}
