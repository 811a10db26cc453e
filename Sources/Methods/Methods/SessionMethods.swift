import JSONRPC
import Jansson

/// Ends the opening of a session. It has no effect.
struct Initialized: InlineMethod {
  static let name = "initialized"
  static let rejectsUnknownMembers = false

  init(_ fields: inout ObjectReader) throws(FieldError) {}

  func run(_ call: Call, _ service: Service) -> Empty { Empty() }
}

/// Prepares the end of the process. Tokens under exchange are stored before the answer.
struct Shutdown: Method {
  static let name = "shutdown"
  static let answersNull = true

  init(_ fields: inout ObjectReader) throws(FieldError) {}

  func willRun(_ service: Service) { service.session.shutDown() }

  func run(_ call: Call, _ service: Service) async -> Empty {
    await service.shutdown.finishExchanges()
    return Empty()
  }
}

/// Makes the process exit.
struct Exit: InlineMethod {
  static let name = "exit"
  /// False, because a notification gets no error, and a stray member must not keep the process from exiting.
  static let rejectsUnknownMembers = false

  init(_ fields: inout ObjectReader) throws(FieldError) {}

  func run(_ call: Call, _ service: Service) -> Empty {
    service.session.exit()
    return Empty()
  }
}

/// Cancels a request, which is still answered with -32800.
struct CancelRequest: InlineMethod {
  static let name = "$/cancelRequest"

  private let id: Request.ID

  init(_ fields: inout ObjectReader) throws(FieldError) { id = try fields.required("id", "The ID of the request to cancel.") }

  func run(_ call: Call, _ service: Service) -> Empty {
    service.session.cancel(id, silently: false)
    return Empty()
  }
}

/// The Model Context Protocol's version of cancelling: the request gets no answer.
struct NotificationsCancelled: InlineMethod {
  static let name = "notifications/cancelled"

  private let id: Request.ID

  init(_ fields: inout ObjectReader) throws(FieldError) {
    id = try fields.required("requestId", "The ID of the request to cancel.")
    let _: String? = try fields.optional("reason", "A reason for people to read.")
    let _: JSON? = try fields.optional("_meta", "Members of the Model Context Protocol. The process ignores them.")
  }

  func run(_ call: Call, _ service: Service) -> Empty {
    service.session.cancel(id, silently: true)
    return Empty()
  }
}

/// Returns the OpenRPC document.
struct Discover: InlineMethod {
  static let name = "rpc.discover"

  init(_ fields: inout ObjectReader) throws(FieldError) {}

  func run(_ call: Call, _ service: Service) -> Document { Document() }

  struct Document: JSONObjectConvertible {
    static let schemaName: String? = "OpenRPCDocument"
    static var sample: Document { Document() }
    static var schema: JSON { ["type": "object", "required": ["openrpc", "info", "methods"]] }

    func list(_ members: inout ObjectWriter) { for member in Schema.members { members.add(member.name, member.value, "") } }
  }
}
