import JSONRPC
import Jansson
import OAuth

/// Tells who we are and chooses the events; optional, so that a script can start with `authorize`.
struct Initialize: InlineMethod {
  static let name = "initialize"
  static let summary = "Opens a session, as the Language Server Protocol has it; nothing needs it."
  static let refusesStrays = false

  private struct ClientInfo: FieldObject {
    static var placeholder: ClientInfo { ClientInfo() }
    init() {}
    init(_ fields: inout Fields) throws(FieldError) {
      let _: JSON? = try fields.optional("name", "The client's name.")
      let _: JSON? = try fields.optional("version", "The client's version.")
    }
    // What else an editor says of itself is nothing to us.
    static func read(_ json: JSON, at path: String) throws(FieldError) -> ClientInfo { ClientInfo() }
    func write(to writer: inout JSONWriter) { writer.null() }
  }

  private let opensPages: Bool
  private let choice: Notifier.Choice?
  private let processId: Int?

  init(_ fields: inout Fields) throws(FieldError) {
    let _: ClientInfo? = try fields.optional("clientInfo", "Who is there.")
    let capabilities: JSON? = try fields.optional("capabilities", "What the client can do: {\"openUrl\": true} when it opens pages itself.")
    let events: JSON? = try fields.optional("events", "Names of the events to send, or \"all\" or \"none\".")
    processId = try fields.optional("processId", "The process that, when it ends, ends this one.")
    let place = fields.pointer("events")
    opensPages = capabilities?["openUrl"] == .bool(true)
    switch events {
    case nil, .null?: choice = nil
    case .string("all")?: choice = .all
    case .string("none")?: choice = Notifier.Choice.none
    case .array(let names)?:
      var chosen: Set<String> = []
      for (index, name) in names.enumerated() {
        guard let name = name.string, Events.names.contains(name) else {
          throw FieldError("\(place)/\(index)", "is not the name of an event")
        }
        chosen.insert(name)
      }
      choice = .only(chosen)
    default: throw FieldError(place, "has to be \"all\", \"none\" or an array of names")
    }
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
