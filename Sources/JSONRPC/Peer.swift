import Jansson

/// The process's side of the connection: receives messages, starts methods, and sends answers and events.
package final class Peer<Context: Sendable>: Sendable {
  private let methods: [MethodEntry<Context>]
  private let output: Output
  private let session: Session
  private let context: Context
  private let admit: @Sendable (MethodEntry<Context>) throws -> Void
  private let errors: @Sendable (any Error) -> RPCError
  private let isFinal: @Sendable (any Error) -> Bool
  private let rejected: @Sendable (_ method: String, any Error, RPCError) -> Void
  private let recording: @Sendable () -> (@Sendable () async -> Void)?
  private let answered: @Sendable () -> Void

  /// `admit` throws for a method that the client may not call, before its params are read. `errors` converts what methods throw to errors
  /// on the wire, for all of them. `isFinal` returns whether the work had ended with the error, so that a cancellation came too late.
  /// `rejected` receives failed notifications, because they get no answer.
  /// `recording` is called before a task's work, and returns what the answer waits for after the work, such as a line in a file; nil for nothing.
  /// `answered` is called after a task has handed its answer over.
  package init(
    methods: [MethodEntry<Context>], output: Output, session: Session, context: Context,
    admit: @escaping @Sendable (MethodEntry<Context>) throws -> Void = { _ in },
    errors: @escaping @Sendable (any Error) -> RPCError,
    isFinal: @escaping @Sendable (any Error) -> Bool = { _ in false },
    rejected: @escaping @Sendable (_ method: String, any Error, RPCError) -> Void = { _, _, _ in },
    recording: @escaping @Sendable () -> (@Sendable () async -> Void)? = { nil },
    answered: @escaping @Sendable () -> Void = {}
  ) {
    self.methods = methods
    self.output = output
    self.session = session
    self.context = context
    self.admit = admit
    self.errors = errors
    self.isFinal = isFinal
    self.rejected = rejected
    self.recording = recording
    self.answered = answered
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
    func rejection(_ json: JSON) -> [[UInt8]]? {
      switch Request.Incoming(json) {
      case .request(let request): Self.message(request.id ?? .null, error)
      case .invalid(let id, let fault): Self.message(id, fault)
      case .response: nil
      }
    }
    guard let envelope = JSON.withoutParams(bytes) else { return answer(.null, error) }
    do throws(JSONFault) {
      let json = try JSON.parse(envelope)
      guard case .array(let elements) = json else {
        if let answer = rejection(json) { output.send(pieces: answer, fromReader: true) }
        return
      }
      guard !elements.isEmpty else { return answer(.null, error) }
      let batch = Batch(count: elements.count) { [output] in output.send(pieces: $0) }
      for element in elements { batch.done(rejection(element)) }
    } catch _ {
      answer(.null, error)
    }
  }

  private func receive(_ json: JSON) {
    guard case .array(let elements) = json else {
      process(json) { [output] message in
        if let message { output.send(pieces: message, fromReader: true) }
      } later: { [output] message in
        if let message { output.send(pieces: message) }
      }
      return
    }
    guard !elements.isEmpty else { return answer(.null, .invalidRequest("the batch is empty")) }
    let batch = Batch(count: elements.count) { [output] in output.send(pieces: $0) }
    for element in elements { process(element, now: batch.done, later: batch.done) }
  }

  /// Handles one element. `now` is called on the reading thread, `later` from a task. Each element calls exactly one of them, once.
  private func process(_ json: JSON, now: (consuming [[UInt8]]?) -> Void, later: @escaping @Sendable (consuming [[UInt8]]?) -> Void) {
    let request: Request
    switch Request.Incoming(json) {
    case .response: return now(nil)
    case .invalid(let id, let error): return now(Self.message(id, error))
    case .request(let found): request = found
    }
    func reject(_ error: any Error) {
      let shown = rpcError(error)
      if request.id == nil { rejected(request.method, error, shown) }
      now(request.id.map { Self.message($0, shown) })
    }
    guard let method = methods.first(where: { $0.name == request.method }) else {
      return reject(RPCError.methodNotFound(request.method))
    }
    if let error = session.rejection(of: request.method) { return reject(error) }
    guard !session.isOpen(request.id) else {
      return now(Self.message(.null, .invalidRequest("a request with this id is still open")))
    }
    do {
      try admit(method)
      switch try method.begin(request, context) {
      case .done(let result): now(request.id.map { Self.message($0, result: result) })
      case .task(let work, let executor): start(work, on: executor, for: request, later: later)
      }
    } catch {
      reject(error)
    }
  }

  /// Separate from `process`, so an immediate answer does not pay for a task's setup.
  @inline(never)
  private func start(
    _ work: @escaping @Sendable () async throws -> (any JSONObjectConvertible)?, on executor: (any TaskExecutor)?, for request: Request,
    later: @escaping @Sendable (consuming [[UInt8]]?) -> Void
  ) {
    let ticket = session.begin(request.id)
    let task = Task(executorPreference: executor) { [self] in
      let recorded = recording()
      let outcome = await run(work)
      // What cancels the call from now on comes too late.
      let cancellation = session.cancellation(of: ticket)
      await recorded?()
      session.end(ticket)
      later(response(to: request, outcome, cancellation))
      session.wasAnswered(ticket)
      answered()
    }
    session.attach(task, to: ticket)
  }

  private func run(_ work: @Sendable () async throws -> (any JSONObjectConvertible)?) async
    -> Swift.Result<(any JSONObjectConvertible)?, any Error>
  {
    do {
      return .success(try await work())
    } catch {
      return .failure(error)
    }
  }

  /// Returns the answer of a finished task. A call that succeeded despite its cancellation returns its result, because its effect exists.
  private func response(
    to request: Request, _ outcome: Swift.Result<(any JSONObjectConvertible)?, any Error>, _ cancellation: Session.Cancellation?
  ) -> [[UInt8]]? {
    guard let id = request.id else {
      if case .failure(let error) = outcome, cancellation == nil { rejected(request.method, error, rpcError(error)) }
      return nil
    }
    if cancellation == .silently { return nil }
    switch outcome {
    case .success(let result): return Self.message(id, result: result)
    case .failure(let error):
      switch isFinal(error) ? nil : cancellation {
      case .byClient?: return Self.message(id, .cancelled)
      case .byEnding?: return Self.message(id, .ending)
      default: return Self.message(id, rpcError(error))
      }
    }
  }

  private func rpcError(_ error: any Error) -> RPCError {
    switch error {
    case let error as RPCError: error
    case let error as FieldError: .invalidParams(error)
    default: errors(error)
    }
  }

  private func answer(_ id: Request.ID, _ error: RPCError) {
    output.send(pieces: Self.message(id, error), fromReader: true)
  }

  private static func message(_ id: Request.ID, result: (any JSONObjectConvertible)?) -> [[UInt8]] {
    var writer = begin(id)
    writer.name("result")
    if let result { result.write(to: &writer) } else { writer.null() }
    writer.endObject()
    return writer.pieces
  }

  private static func message(_ id: Request.ID, _ error: RPCError) -> [[UInt8]] {
    var writer = begin(id)
    writer.name("error")
    error.write(to: &writer)
    writer.endObject()
    return writer.pieces
  }

  private static func begin(_ id: Request.ID) -> JSONWriter {
    var writer = JSONWriter(beginning: #"{"jsonrpc":"2.0","id":"#)
    switch id {
    case .string(let value): writer.string(value)
    case .integer(let value): writer.integer(value)
    case .null: writer.null()
    }
    return writer
  }
}

extension RPCError {
  package static let endingKind: JSON = "ending"
  /// The answer to calls that are still open when the process ends.
  static let ending = RPCError(
    code: -32000, message: "the process ended before this had a result", data: ["kind": endingKind, "retryable": true])
}
