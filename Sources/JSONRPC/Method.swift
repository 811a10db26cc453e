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
  /// Where its task runs; nil for the threads that all tasks share.
  func executor(_ context: Context) -> (any TaskExecutor)?
}

extension Method {
  package static var rejectsUnknownMembers: Bool { true }
  package static var answersNull: Bool { false }
  package static var errors: [String] { [] }
  package static var example: MethodExample? { nil }
  package func resultAtOnce(_ call: Call, _ context: Context) throws -> Result? { nil }
  package func willRun(_ context: Context) {}
  package func executor(_ context: Context) -> (any TaskExecutor)? { nil }

  /// The result's schema. A result type without a name of its own has the method's name, as in `CallAPIResult`.
  static var result: JSON {
    if answersNull { return ["type": "null"] }
    return Result.schema.named(Result.schemaName ?? name.prefix(1).uppercased() + name.dropFirst() + "Result")
  }
}

/// The facts about a call besides its params.
package struct Call: Sendable {
  /// nil for a notification. It is still carried out, and only events report its outcome.
  package var id: Request.ID?
}

/// An empty object: `{}`.
package struct Empty: JSONObjectConvertible {
  package static let schemaName: String? = "Empty"
  package static var sample: Empty { Empty() }
  package init() {}
  package func list(_ members: inout ObjectWriter) {}
}

/// A method that waits for nothing. It runs immediately on the reading thread.
package protocol InlineMethod: Method {
  // Declared again, so that they are inferred from `run`.
  associatedtype Context
  associatedtype Result
  func run(_ call: Call, _ context: Context) throws -> Result
}

extension InlineMethod {
  package func resultAtOnce(_ call: Call, _ context: Context) throws -> Result? { try run(call, context) }
}

/// What the methods work on, and what the peer asks it about their calls.
package protocol MethodContext: Sendable {
  /// Throws for a method that the client may not call, before its params are read.
  func check(_ method: MethodEntry<Self>) throws
  /// Returns what a method's error is on the wire.
  func rpcError(_ error: any Error) -> RPCError
  /// Whether the work had ended with the error, so that a cancellation came too late.
  func isFinal(_ error: any Error) -> Bool
  /// Receives a failed notification, which gets no answer.
  func notificationWasRejected(_ method: String, _ error: any Error, _ shown: RPCError)
  /// Called after a task has handed its answer over.
  func wasAnswered()
}

/// A call of a method and its answer, both as JSON text.
package struct MethodExample: Sendable {
  /// The params by name.
  package var params: String
  /// nil if the method is a notification, or if the result is too long.
  package var result: String?

  package init(_ params: String, _ result: String?) { (self.params, self.result) = (params, result) }
}

/// An event: a name and the members that it has besides `seq`.
package protocol Event: JSONObjectConvertible {
  static var name: String { get }
  static var summary: String { get }
  /// The event for a person; empty if it tells nothing that the result does not.
  var lines: [String] { get }
}

extension Event {
  package var lines: [String] { [] }

  /// The event's name, as in `AccessTokenWasRevoked`.
  package static var schemaName: String? { name.prefix(1).uppercased() + name.dropFirst() }
}
