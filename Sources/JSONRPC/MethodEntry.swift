import Jansson

/// A method with its types erased, for the table.
package final class MethodEntry<Context: Sendable>: Sendable {
  /// What a method does, for the limits on its callers.
  package enum Effect: Sendable {
    /// It belongs to the session itself.
    case session
    /// It reads or uses accounts. --read-only allows it, although it may forbid a part of it, such as the sign-in of `authorize`.
    case uses
    /// It changes what is stored. --read-only forbids it.
    case changes
    /// It returns a credential.
    case returnsCredential
  }

  enum Work {
    /// nil means `null`.
    case done((any JSONObjectConvertible)?)
    case task(on: (any TaskExecutor)?, @Sendable () async throws -> (any JSONObjectConvertible)?)
  }

  package let name: String
  package let type: any Method.Type
  package let effect: Effect
  let begin: @Sendable (Request, Context) throws -> Work

  package init<M: Method>(_ type: M.Type, _ effect: Effect) where M.Context == Context {
    (name, self.type, self.effect) = (M.name, type, effect)
    begin = { request, context in
      let method = try Self.read(M.self, request.params)
      if let result = try method.resultAtOnce(Call(id: request.id), context) { return .done(M.answersNull ? nil : result) }
      method.willRun(context)
      return .task(on: method.executor(context)) {
        let result = try await method.run(Call(id: request.id), context)
        return M.answersNull ? nil : result
      }
    }
  }

  private static func read<M: Method>(_ type: M.Type, _ params: Request.Params) throws -> M {
    var fields =
      switch params {
      case .none: ObjectReader([])
      case .members(let members): ObjectReader(members)
      case .positions(let values): ObjectReader(positions: values)
      }
    return try M.read(&fields, rejectingUnknownMembers: M.rejectsUnknownMembers)
  }
}
