import JSONRPC
import Jansson
import Synchronization

/// The state that the test methods share.
final class Bench: MethodContext {
  let session: Session
  let notifier: Notifier
  let output: Output
  private let heard = Mutex<[String]>([])
  private let isOpen = Mutex(false)

  init(session: Session, notifier: Notifier, output: Output) {
    self.session = session
    self.notifier = notifier
    self.output = output
  }

  /// The lines that the methods recorded, in order.
  var log: [String] { heard.withLock { $0 } }
  func hear(_ line: String) { heard.withLock { $0.append(line) } }

  /// Lets every `wait` end.
  func open() { isOpen.withLock { $0 = true } }
  var hasOpened: Bool { isOpen.withLock { $0 } }

  static let methods: [MethodEntry<Bench>] = [
    MethodEntry(Subtract.self, .uses), MethodEntry(Sum.self, .uses), MethodEntry(GetData.self, .uses), MethodEntry(NotifyHello.self, .uses),
    MethodEntry(Update.self, .uses),
    MethodEntry(Wait.self, .uses), MethodEntry(Stubborn.self, .uses), MethodEntry(Fail.self, .uses), MethodEntry(Large.self, .uses),
    MethodEntry(CancelRequest.self, .uses),
    MethodEntry(Cancelled.self, .uses), MethodEntry(Shutdown.self, .uses), MethodEntry(Tell.self, .uses),
  ]
}

/// A result of one value.
struct Value: JSONObjectConvertible {
  static let sample = Value(.null)
  var value: JSON
  init(_ value: JSON) { self.value = value }
  func list(_ members: inout ObjectWriter) { members.add("value", value, "") }
}

struct Subtract: InlineMethod {
  static let name = "subtract"
  static let summary = ""
  static let errors = ["told", "asked"]
  static let example: MethodExample? = MethodExample(#"{"minuend":3,"subtrahend":1}"#, #"{"value":2}"#)
  var minuend: Int
  var subtrahend: Int
  init(_ fields: inout ObjectReader) throws(FieldError) {
    minuend = try fields.required("minuend", "")
    subtrahend = try fields.required("subtrahend", "")
  }
  func run(_ call: Call, _ bench: Bench) -> Value { Value(.integer(minuend - subtrahend)) }
}

struct Sum: Method {
  static let name = "sum"
  static let summary = ""
  var numbers: [Int] = []
  init(_ fields: inout ObjectReader) throws(FieldError) {
    for name in ["a", "b", "c"] { numbers.append(try fields.optional(name, "") ?? 0) }
  }
  func run(_ call: Call, _ bench: Bench) async -> Value { Value(.integer(numbers.reduce(0, +))) }
}

struct GetData: InlineMethod {
  static let name = "get_data"
  static let summary = ""
  init(_ fields: inout ObjectReader) throws(FieldError) {}
  func run(_ call: Call, _ bench: Bench) -> Value { Value(["hello", 5]) }
}

struct NotifyHello: InlineMethod {
  static let name = "notify_hello"
  static let summary = ""
  var number: Int
  init(_ fields: inout ObjectReader) throws(FieldError) { number = try fields.required("number", "") }
  func run(_ call: Call, _ bench: Bench) -> Empty {
    bench.hear("hello \(number)")
    return Empty()
  }
}

struct Update: InlineMethod {
  static let name = "update"
  static let summary = ""
  var numbers: [Int] = []
  init(_ fields: inout ObjectReader) throws(FieldError) {
    for name in ["a", "b", "c", "d", "e"] { numbers.append(try fields.optional(name, "") ?? 0) }
  }
  func run(_ call: Call, _ bench: Bench) -> Empty {
    bench.hear("update \(numbers)")
    return Empty()
  }
}

/// Returns when the bench is opened, or throws when it is cancelled.
struct Wait: Method {
  static let name = "wait"
  static let summary = ""
  init(_ fields: inout ObjectReader) throws(FieldError) {}
  func willRun(_ bench: Bench) { bench.hear("wait") }
  func run(_ call: Call, _ bench: Bench) async throws -> Empty {
    while !bench.hasOpened { try await Task.sleep(for: .milliseconds(1)) }
    return Empty()
  }
}

/// Runs until it is cancelled, and still returns a result.
struct Stubborn: Method {
  static let name = "stubborn"
  static let summary = ""
  init(_ fields: inout ObjectReader) throws(FieldError) {}
  func run(_ call: Call, _ bench: Bench) async -> Value {
    while !Task.isCancelled { await Task.yield() }
    return Value("done")
  }
}

struct Fail: InlineMethod {
  static let name = "fail"
  static let summary = ""
  struct Fault: Error {}
  var code: Int?
  init(_ fields: inout ObjectReader) throws(FieldError) { code = try fields.optional("code", "") }
  func run(_ call: Call, _ bench: Bench) throws -> Empty {
    if let code { throw RPCError(code: code, message: "as asked", data: ["kind": "asked"]) }
    throw Fault()
  }
}

/// A result of `count` bytes, made by a task.
struct Large: Method {
  static let name = "large"
  static let summary = ""
  var count: Int
  init(_ fields: inout ObjectReader) throws(FieldError) { count = try fields.required("count", "") }
  func run(_ call: Call, _ bench: Bench) async -> Value { Value(.string(String(repeating: "x", count: count))) }
}

extension Bench {
  func check(_ method: MethodEntry<Bench>) {}
  func rpcError(_ error: any Error) -> RPCError { RPCError(code: 1000, message: "it failed") }
  func isFinal(_ error: any Error) -> Bool { false }
  func notificationWasRejected(_ method: String, _ error: any Error, _ shown: RPCError) {}
  func wasAnswered() {}
}
