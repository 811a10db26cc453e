import JSONRPC
import Jansson
import OAuth

/// Tells who we are and chooses the events; optional, so that a script can start with `authorize`.
struct Initialize: InlineMethod {
  static let name = "initialize"
  static let summary = "Opens a session, as the Language Server Protocol has it; nothing needs it."
  static let refusesStrays = false

  /// What an editor says of itself; all of it is nothing to us, whatever it looks like.
  private struct ClientInfo: FieldValue {
    static var schema: JSON { .object([]) }
    static var placeholder: ClientInfo { ClientInfo() }
    static func read(_ json: JSON, at path: String) throws(FieldError) -> ClientInfo { ClientInfo() }
    func write(to writer: inout JSONWriter) { writer.null() }
  }

  /// The events that the client wants.
  private struct EventChoice: FieldValue {
    static var schema: JSON {
      ["anyOf": [["type": "string", "enum": ["all", "none"]], ["type": "array", "items": ["type": "string", "enum": names]]]]
    }
    static var placeholder: EventChoice { EventChoice(choice: .all) }
    private static var names: JSON { .array(Events.names.map(JSON.string)) }

    let choice: Notifier.Choice

    static func read(_ json: JSON, at path: String) throws(FieldError) -> EventChoice {
      switch json {
      case .string("all"): return EventChoice(choice: .all)
      case .string("none"): return EventChoice(choice: .none)
      case .array, .object([]): break
      default: throw FieldError(path, "has to be \"all\", \"none\" or an array of names")
      }
      let chosen = try [String].read(json, at: path)
      if let index = chosen.firstIndex(where: { !Events.names.contains($0) }) {
        throw FieldError("\(path)/\(index)", "is not the name of an event")
      }
      return EventChoice(choice: .only(Set(chosen)))
    }

    func write(to writer: inout JSONWriter) { writer.null() }
  }

  private let opensPages: Bool
  private let choice: Notifier.Choice?
  private let processId: Int?

  init(_ fields: inout Fields) throws(FieldError) {
    let _: ClientInfo? = try fields.optional("clientInfo", "Who is there: {\"name\", \"version\"} and what an editor adds; not looked at.")
    let capabilities: JSON? = try fields.optional("capabilities", "What the client can do: {\"openUrl\": true} when it opens pages itself.")
    let events: EventChoice? = try fields.optional("events", "Names of the events to send, or \"all\" or \"none\".")
    processId = try fields.optional("processId", "The process that, when it ends, ends this one.")
    opensPages = capabilities?["openUrl"] == .bool(true)
    choice = events?.choice
  }

  func run(_ call: Call, _ service: Service) throws -> Result {
    guard service.lifecycle.initialize() else { throw RPCError.invalidRequest("initialize was called before") }
    if opensPages { service.clientOpensPages.store(true, ordering: .relaxed) }
    if let choice { service.notifier.choose(choice) }
    if let processId, let number = Int32(exactly: processId), number > 1 { ParentWatch.start(number, service.ending) }
    return Result()
  }

  struct Result: Answer {
    static var sample: Result { Result() }

    func list(_ members: inout Members) {
      members.add("protocolVersion", 1, "The version of this protocol.")
      members.add("serverInfo", ServerInfo(), "Who we are.")
      members.add("capabilities", Capabilities(), "What we can do.")
    }
  }

  private struct ServerInfo: AnswerValue {
    static var sample: ServerInfo { ServerInfo() }
    func list(_ members: inout Members) {
      members.add("name", "oauth-stdio", "The program's name.")
      members.add("version", Program.version, "Its version.")
    }
  }

  private struct Capabilities: AnswerValue {
    static var sample: Capabilities { Capabilities() }
    func list(_ members: inout Members) {
      members.add("methods", Methods.all.map(\.name), "Every method.")
      members.add("events", Events.names, "Every event.")
      members.add("flows", ["auto", "browser", "device", "clientCredentials"], "The ways to sign in.")
      members.add("protocols", Provider.ProtocolName.allCases.map(\.rawValue), "The protocols that providers may speak.")
    }
  }
}
