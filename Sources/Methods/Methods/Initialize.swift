import JSONRPC
import Jansson
import OAuthCore
import Plans

/// Introduces the process and chooses the events. Optional, so a script can start with `authorize`.
struct Initialize: InlineMethod {
  static let name = "initialize"
  static let rejectsUnknownMembers = false
  static var example: MethodExample? {
    MethodExample(#"{"events":["responseFromServiceWasReceived"]}"#, String(decoding: Result(limits: Limits()).text, as: UTF8.self))
  }

  private let opensPages: Bool
  private let choice: Notifier.Choice?
  private let processId: Int?

  init(_ fields: inout ObjectReader) throws(FieldError) {
    let _: JSON? = try fields.optional(
      "clientInfo", "The client's name and version, and further members of editors. The process ignores them.")
    let capabilities: JSON? = try fields.optional(
      "capabilities", "The client's capabilities. `{\"openUrl\": true}` means that the client opens pages itself.")
    choice = try fields.optional(
      "events", "The names of the events that the process sends, or `all` or `none`. Without it, the option `--events` decides.")
    processId = try fields.optional("processId", "The ID of a process. When that process exits, this one exits too.")
    opensPages = capabilities?["openUrl"] == .bool(true)
  }

  func run(_ call: Call, _ service: Service) throws -> Result {
    guard service.session.initialize(opensPages: opensPages) else { throw RPCError.invalidRequest("initialize was already called") }
    if let choice { service.notifier.choose(choice) }
    if let processId, let number = Int32(exactly: processId), number > 1 { service.shutdown.endWith(number) }
    return Result(limits: service.limits)
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result {
      var limits = Limits()
      limits.isReadOnly = true
      return Result(limits: limits)
    }

    var limits: Limits

    func list(_ members: inout ObjectWriter) {
      members.add("protocolVersion", 1, "The version of this protocol.")
      members.add("serverInfo", ServerInfo(), "The name and version of this program.")
      members.add("capabilities", Capabilities(limits: limits), "The capabilities of this process.")
      members.add(
        optional: "limits", limits.isEmpty ? nil : limits,
        "The limits that the user who started the process has set. No method changes them.")
    }
  }

  struct ServerInfo: NestedObject {
    static var sample: ServerInfo { ServerInfo() }
    func list(_ members: inout ObjectWriter) {
      members.add("name", "oauth-stdio", "The program's name.")
      members.add("version", Version.current, "The program's version.")
    }
  }

  struct Capabilities: NestedObject {
    static var sample: Capabilities { Capabilities(limits: Limits()) }

    let limits: Limits

    func list(_ members: inout ObjectWriter) {
      members.add("methods", Methods.all.filter(limits.allows).map(\.name), "The names of the methods that the limits allow.")
      members.add("events", Events.names, "The names of all events.")
      members.add("flows", AuthorizationInput.Flow.allCases.map(\.rawValue), "The ways of signing in.")
      members.add("protocols", Provider.ProtocolName.allCases.map(\.rawValue), "The protocols of providers.")
    }
  }
}

/// The events that the client wants.
extension Notifier.Choice: FieldValue {
  package static var schema: JSON {
    ["anyOf": [["type": "string", "enum": ["all", "none"]], ["type": "array", "items": ["type": "string", "enum": names]]]]
  }
  package static var placeholder: Self { .all }
  private static var names: JSON { .array(Events.names.map(JSON.string)) }

  package static func read(_ json: JSON, at path: String) throws(FieldError) -> Self {
    switch json {
    case .string("all"): return .all
    case .string("none"): return .none
    case .array, .object([]): break
    default: throw FieldError(path, "must be \"all\", \"none\" or an array of names")
    }
    let chosen = try [String].read(json, at: path)
    if let index = chosen.firstIndex(where: { !Events.names.contains($0) }) {
      throw FieldError("\(path)/\(index)", "is not the name of an event")
    }
    return .only(Set(chosen))
  }

  package func write(to writer: inout JSONWriter) { writer.null() }
}
