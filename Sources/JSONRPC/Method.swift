import Jansson

/// A method of the protocol. Its initialiser reads the params, and `Result` lists the result's members.
/// It runs as a task, so later requests do not have to wait.
package protocol Method: FieldReadable {
  associatedtype Context: Sendable
  associatedtype Result: JSONObjectConvertible
  static var name: String { get }
  /// One sentence for the OpenRPC document.
  static var summary: String { get }
  /// Whether unknown members are rejected. Editors send many to `initialize`, so it ignores them.
  static var rejectsUnknownMembers: Bool { get }
  /// Whether the result is `null`, as LSP requires for `shutdown`. All other methods return an object.
  static var answersNull: Bool { get }
  /// The kinds of errors that the method can answer with, besides those of the protocol.
  static var errors: [String] { get }
  /// A call and its answer for the OpenRPC document; nil leaves it out.
  static var example: MethodExample? { get }
  func run(_ call: Call, _ context: Context) async throws -> Result
  /// Returns the result if it can be had without waiting; nil starts the task. Runs before the next message is read.
  func resultAtOnce(_ call: Call, _ context: Context) throws -> Result?
  /// Runs before the next message is read.
  func willRun(_ context: Context)
}

extension Method {
  package static var rejectsUnknownMembers: Bool { true }
  package static var answersNull: Bool { false }
  package static var errors: [String] { [] }
  package static var example: MethodExample? { nil }
  package func resultAtOnce(_ call: Call, _ context: Context) throws -> Result? { nil }
  package func willRun(_ context: Context) {}

  /// The result's schema. A result type without a name of its own has the method's name, as in `CallAPIResult`.
  static var result: JSON {
    if answersNull { return ["type": "null"] }
    return Result.schema.named(Result.schemaName ?? name.prefix(1).uppercased() + name.dropFirst() + "Result")
  }
}
