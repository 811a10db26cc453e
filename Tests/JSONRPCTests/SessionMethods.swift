import JSONRPC
import Jansson

struct CancelRequest: InlineMethod {
  static let name = "$/cancelRequest"
  static let summary = ""
  var id: Request.ID?
  init(_ fields: inout ObjectReader) throws(FieldError) { id = Request.ID(try fields.required("id", "")) }
  func run(_ call: Call, _ bench: Bench) -> Empty {
    if let id { bench.session.cancel(id, silently: false) }
    return Empty()
  }
}

struct Cancelled: InlineMethod {
  static let name = "notifications/cancelled"
  static let summary = ""
  var id: Request.ID?
  init(_ fields: inout ObjectReader) throws(FieldError) { id = Request.ID(try fields.required("requestId", "")) }
  func run(_ call: Call, _ bench: Bench) -> Empty {
    if let id { bench.session.cancel(id, silently: true) }
    return Empty()
  }
}

struct Shutdown: InlineMethod {
  static let name = "shutdown"
  static let summary = ""
  static let answersNull = true
  init(_ fields: inout ObjectReader) throws(FieldError) {}
  func run(_ call: Call, _ bench: Bench) -> Empty {
    bench.session.shutDown()
    return Empty()
  }
}

/// Sends an event before it answers, and accepts unknown params.
struct Tell: Method {
  static let name = "tell"
  static let summary = ""
  static let rejectsUnknownMembers = false
  var text: String
  init(_ fields: inout ObjectReader) throws(FieldError) { text = try fields.required("text", "What is told.") }
  func run(_ call: Call, _ bench: Bench) async -> Empty {
    bench.notifier.notify(Told(text: text))
    return Empty()
  }
}

struct Told: Event {
  static let name = "wasTold"
  static let summary = "Something was told."
  static let sample = Told(text: "")
  var text: String
  func list(_ members: inout ObjectWriter) { members.add("text", text, "What.") }
}

struct Other: Event {
  static let name = "other"
  static let summary = ""
  static let sample = Other()
  func list(_ members: inout ObjectWriter) {}
}
