import Jansson

/// The process's side of the connection: receives messages, starts methods, and sends answers and events.
///
/// A frame becomes a task: `receive` parses it, `process` takes a batch apart, `handle` finds the method and reads its params, `start` runs it.
/// A method that is done at once is answered on the reading thread; `final` and `message` make the other answers, and `Output` writes them all.
package final class Peer<Context: MethodContext>: Sendable {
  /// The result of a method, or why there is none.
  package typealias Outcome = Swift.Result<(any JSONObjectConvertible)?, any Error>

  private let methods: [String: MethodEntry<Context>]
  private let output: Output
  private let session: Session
  private let context: Context

  package init(methods: [String: MethodEntry<Context>], output: Output, session: Session, context: Context) {
    (self.methods, self.output, self.session, self.context) = (methods, output, session, context)
  }

  /// Handles one frame from the reading thread. Returns before slow work is done.
  package func receive(_ frame: FrameDecoder.Frame) {
    switch frame {
    case .fault(let error, let framing):
      output.follow(framing)
      answer(.null, error)
    case .message(let bytes, let framing):
      output.follow(framing)
      do throws(JSONFault) {
        receive(try JSON.parse(bytes))
      } catch .numberOutOfRange {
        reject(bytes, .largeNumber(at: JSON.positionOfLargeNumber(bytes)))
      } catch {
        reject(bytes, RPCError(error, framing))
      }
    }
  }

  /// Rejects an unreadable message or batch. If only the params are invalid, each of its requests is answered with its id.
  private func reject(_ bytes: [UInt8], _ error: RPCError) {
    guard let json = JSON.withoutParams(bytes).flatMap({ try? JSON.parse($0) }), json != [] else { return answer(.null, error) }
    receive(json, failing: error)
  }

  private func receive(_ json: JSON, failing error: RPCError? = nil) {
    guard case .array(let elements) = json else {
      process(json, failing: error) { [output] message in
        if let message { output.send(message, fromReader: true) }
      } later: { [output] message in
        if let message { output.send(message) }
      }
      return
    }
    guard !elements.isEmpty else { return answer(.null, .invalidRequest("the batch is empty")) }
    let batch = Batch(count: elements.count) { [output] in output.send($0) }
    for element in elements { process(element, failing: error, now: batch.done, later: batch.done) }
  }

  /// Handles one element, or fails it with an error of the whole message. `now` is called on the reading thread, `later` from a task. Each element
  /// calls exactly one of them, once.
  private func process(
    _ json: JSON, failing error: RPCError?, now: (consuming [UInt8]?) -> Void, later: @escaping @Sendable (consuming [UInt8]?) -> Void
  ) {
    switch Request.Incoming(json) {
    case .response: now(nil)
    case .invalid(let id, let error): now(Self.message(id, error))
    case .request(let request):
      // An unreadable notification is answered, too (JSON-RPC 2.0 §5).
      if let error { return now(Self.message(request.id ?? .null, error)) }
      handle(request) { outcome in
        now(message(request.id, outcome))
      } later: { [self] outcome in
        later(outcome.flatMap { message(request.id, $0) })
      }
    }
  }

  /// Handles a request. `now` is called on this thread, `later` from a task, with nil if the client wants no answer any more. Each request
  /// calls exactly one of them, once.
  package func handle(_ request: Request, now: (Outcome) -> Void, later: @escaping @Sendable (Outcome?) -> Void) {
    func reject(_ error: any Error) {
      if request.id == nil { context.notificationWasRejected(request.method, error, rpcError(error)) }
      now(.failure(error))
    }
    guard let method = methods[request.method] else { return reject(RPCError.methodNotFound(request.method)) }
    if let error = session.rejection(of: request.method) { return reject(error) }
    guard !session.isOpen(request.id) else { return now(.failure(RPCError.idIsOpen)) }
    do {
      try context.check(method)
      switch try method.begin(request, context) {
      case .done(let result): now(.success(result))
      case .task(let executor, let work): start(work, on: executor, for: request, later: later)
      }
    } catch {
      reject(error)
    }
  }

  private func start(
    _ work: @escaping @Sendable () async throws -> (any JSONObjectConvertible)?, on executor: (any TaskExecutor)?, for request: Request,
    later: @escaping @Sendable (Outcome?) -> Void
  ) {
    let ticket = session.begin(request.id)
    let task = Task(executorPreference: executor) { [self] in
      let outcome: Outcome
      do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
      let cancellation = session.end(ticket)
      later(final(outcome, of: request, cancellation))
      session.wasAnswered(ticket)
      context.wasAnswered()
    }
    session.attach(task, to: ticket)
  }

  /// Returns what the client learns of a finished task; nil if that is nothing. A call that succeeded despite its cancellation returns its
  /// result, because its effect exists.
  private func final(_ outcome: Outcome, of request: Request, _ cancellation: Session.Cancellation?) -> Outcome? {
    if request.id == nil, case .failure(let error) = outcome, cancellation == nil {
      context.notificationWasRejected(request.method, error, rpcError(error))
    }
    if cancellation == .silently { return nil }
    guard case .failure(let error) = outcome, !context.isFinal(error) else { return outcome }
    return switch cancellation {
    case .byClient?: .failure(RPCError.cancelled)
    case .byEnding?: .failure(RPCError.ending)
    default: outcome
    }
  }

  package func rpcError(_ error: any Error) -> RPCError {
    switch error {
    case let error as RPCError: error
    case let error as FieldError: .invalidParams(error)
    default: context.rpcError(error)
    }
  }

  private func answer(_ id: Request.ID, _ error: RPCError) { output.send(Self.message(id, error), fromReader: true) }

  /// Returns the answer of a request; nil for a notification.
  private func message(_ id: Request.ID?, _ outcome: Outcome) -> [UInt8]? {
    guard let id else { return nil }
    switch outcome {
    case .success(let result):
      var writer = Self.begin(id)
      writer.name("result")
      if let result { result.write(to: &writer) } else { writer.null() }
      writer.endObject()
      return writer.bytes
    case .failure(let error):
      let shown = rpcError(error)
      // The other request is answered with this id.
      return Self.message(shown == RPCError.idIsOpen ? .null : id, shown)
    }
  }

  private static func message(_ id: Request.ID, _ error: RPCError) -> [UInt8] {
    var writer = begin(id)
    writer.name("error")
    writer.value(error.json)
    writer.endObject()
    return writer.bytes
  }

  private static func begin(_ id: Request.ID) -> JSONWriter {
    var writer = JSONWriter(beginning: #"{"jsonrpc":"2.0","id":"#)
    writer.value(id.json)
    return writer
  }
}

extension RPCError {
  package static let idIsOpen = invalidRequest("a request with this id is still open")
  package static let endingKind: JSON = "ending"
  /// The answer to calls that are still open when the process ends.
  static let ending = RPCError(
    code: -32000, message: "the process ended before this had a result", data: ["kind": endingKind, "retryable": true])
}
