import JSONRPC
import Jansson

/// The end of opening a session; nothing is left to do.
struct Initialized: InlineMethod {
  static let name = "initialized"
  static let summary = "Tells that the client has read what initialize answered."
  static let refusesStrays = false

  init(_ fields: inout Fields) throws(FieldError) {}

  func run(_ call: Call, _ service: Service) -> Empty { Empty() }
}

/// Gets ready to end: tokens that are being exchanged reach the disk before this is answered.
struct Shutdown: TaskMethod {
  static let name = "shutdown"
  static let summary = "Ends the session; only exit may follow. Answers null."
  static let answersNull = true

  init(_ fields: inout Fields) throws(FieldError) {}

  func willRun(_ service: Service) { service.lifecycle.shutDown() }

  func run(_ call: Call, _ service: Service) async -> Empty {
    await service.ending.finishExchanges()
    return Empty()
  }
}

/// Ends the process.
struct Exit: InlineMethod {
  static let name = "exit"
  static let summary = "Ends the process, with status 0 after shutdown and 1 otherwise."
  /// As a notification it cannot be told what is wrong with it, so nothing that comes along may keep it from ending the process.
  static let refusesStrays = false

  init(_ fields: inout Fields) throws(FieldError) {}

  func run(_ call: Call, _ service: Service) -> Empty {
    service.lifecycle.exit()
    return Empty()
  }
}

/// Cancels a request, which is still answered, with -32800.
struct CancelRequest: InlineMethod {
  static let name = "$/cancelRequest"
  static let summary = "Cancels the request with this id; it is still answered, with -32800 unless it was done already."

  private let id: RequestID

  init(_ fields: inout Fields) throws(FieldError) {
    id = try fields.required("id", "The id of the request to cancel.")
  }

  func run(_ call: Call, _ service: Service) -> Empty {
    service.calls.cancel(id, silently: false)
    return Empty()
  }
}

/// The same as the Model Context Protocol has it: nothing more is said about the request.
struct NotificationsCancelled: InlineMethod {
  static let name = "notifications/cancelled"
  static let summary = "Cancels the request with this id, which is then not answered at all."

  private let id: RequestID

  init(_ fields: inout Fields) throws(FieldError) {
    id = try fields.required("requestId", "The id of the request to cancel.")
    let _: String? = try fields.optional("reason", "Why, for people.")
    let _: JSON? = try fields.optional("_meta", "What MCP lets a client put into any params; passed over.")
  }

  func run(_ call: Call, _ service: Service) -> Empty {
    service.calls.cancel(id, silently: true)
    return Empty()
  }
}

/// The OpenRPC document.
struct Discover: InlineMethod {
  static let name = "rpc.discover"
  static let summary = "The OpenRPC document of these methods."

  init(_ fields: inout Fields) throws(FieldError) {}

  func run(_ call: Call, _ service: Service) -> Document { Document() }

  struct Document: Answer {
    static var sample: Document { Document() }
    static var schema: JSON { ["type": "object", "required": ["openrpc", "info", "methods"]] }

    func list(_ members: inout Members) {
      for member in Schema.members { members.add(member.name, SharedText(bytes: member.text), "") }
    }
  }

  /// JSON text that is written and never read.
  struct SharedText: FieldValue {
    static var schema: JSON { [:] }
    static var placeholder: SharedText { SharedText(bytes: []) }

    let bytes: [UInt8]

    static func read(_ json: JSON, at path: String) throws(FieldError) -> SharedText { SharedText(bytes: json.text) }
    func write(to writer: inout JSONWriter) { writer.shared(bytes) }
  }
}
