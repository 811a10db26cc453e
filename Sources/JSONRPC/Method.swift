import Jansson

/// What a method is told beside its params.
package struct Call: Sendable {
  /// nil for a notification: it is carried out all the same, and its outcome is told by the events alone.
  package var id: RequestID?

  package init(id: RequestID?) { self.id = id }
}

/// One method of the wire: its params are what its initialiser reads, its result is what `Result` lists.
package protocol Method: FieldReadable {
  associatedtype Context: Sendable
  associatedtype Result: Answer
  static var name: String { get }
  /// One sentence for the OpenRPC document.
  static var summary: String { get }
  /// `initialize` alone passes over members that it does not know, because editors send many there.
  static var refusesStrays: Bool { get }
  /// LSP has `shutdown` answer `null`; everything else answers an object.
  static var answersNull: Bool { get }
}

extension Method {
  package static var refusesStrays: Bool { true }
  package static var answersNull: Bool { false }
}

/// A method that is done at once, on the thread that reads.
package protocol InlineMethod: Method {
  // Named again, so that they are inferred from `run`.
  associatedtype Context
  associatedtype Result
  func run(_ call: Call, _ context: Context) throws -> Result
}

/// A method that waits for something; it runs as a task, so that later requests do not wait with it.
package protocol TaskMethod: Method {
  // Named again, so that they are inferred from `run`.
  associatedtype Context
  associatedtype Result
  func run(_ call: Call, _ context: Context) async throws -> Result
  /// What has to be done before the next message is read.
  func willRun(_ context: Context)
}

extension TaskMethod {
  package func willRun(_ context: Context) {}
}

/// A result or params with nothing in them: `{}`.
package struct Empty: Answer {
  package static var sample: Empty { Empty() }
  package init() {}
  package func list(_ members: inout Members) {}
}

/// A method with its types taken away, as the table keeps it.
package struct MethodEntry<Context: Sendable>: Sendable {
  enum Work {
    /// nil stands for `null`.
    case done((any Answer)?)
    case task(@Sendable () async throws -> (any Answer)?)
  }

  package let name: String
  let summary: String
  let begin: @Sendable (Request, Context) throws -> Work
  let describe: @Sendable () throws -> Description

  package struct Description: Sendable {
    package var params: [Fields.Declaration]
    package var result: JSON
    package var acceptsStrays: Bool
  }

  package init<M: InlineMethod>(_ type: M.Type) where M.Context == Context {
    name = M.name
    summary = M.summary
    describe = { try Self.description(of: M.self) }
    begin = { request, context in
      let method = try Self.read(M.self, request.params)
      let result = try method.run(Call(id: request.id), context)
      return .done(M.answersNull ? nil : result)
    }
  }

  package init<M: TaskMethod>(_ type: M.Type) where M.Context == Context {
    name = M.name
    summary = M.summary
    describe = { try Self.description(of: M.self) }
    begin = { request, context in
      let method = try Self.read(M.self, request.params)
      method.willRun(context)
      return .task {
        let result = try await method.run(Call(id: request.id), context)
        return M.answersNull ? nil : result
      }
    }
  }

  private static func description<M: Method>(of type: M.Type) throws -> Description {
    Description(
      params: try M.declarations, result: M.answersNull ? ["type": "null"] : M.Result.schema, acceptsStrays: !M.refusesStrays)
  }

  private static func read<M: Method>(_ type: M.Type, _ params: Request.Params) throws -> M {
    var fields =
      switch params {
      case .none: Fields([])
      case .members(let members): Fields(members)
      case .positions(let values): Fields(positions: values)
      }
    return try M.read(&fields, refusingStrays: M.refusesStrays)
  }
}
