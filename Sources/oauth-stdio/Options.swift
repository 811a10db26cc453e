import JSONRPC
import Jansson
import OAuth
import OAuthCore

/// The command line. It has few options, because requests set everything else.
struct Options {
  var configuration: String?
  var store: String?
  /// Where the key of a new store is kept.
  var key: KeySource?
  var framing: Framing?
  var events = Notifier.Choice.all
  var logLevel = LogMessage.Level.warning
  var allowsExport = false
  /// What the client may do.
  var limits = LimitProfile()
  /// The name of a set of limits in the configuration.
  var profile: String?
  /// The file that records each use of a credential.
  var audit: String?
  /// Users whose files are accepted, besides the process's own user and root.
  var trustedOwners: [UInt32] = []
  var action = Action.serve

  enum Action { case serve, schema(Schema.Name), version, help }

  struct Fault: Error {
    var message: String
  }

  static let usage = """
    usage: oauth-stdio [--config FILE] [--store DIR|postgresql://…|memory] [--key file|keyring|command:…]
                       [--framing lines|headers] [--events all|none|NAME,…] [--log-level error|warning|info|debug]
                       [--allow-export] [--trust-owner UID] [--audit FILE]
                       [--accounts NAME,…] [--allow METHOD,…] [--read-only] [--no-tokens] [--allow-call 'METHOD URL']
                       [--files DIR] [--known-providers] [--profile NAME]
                       [--schema[=openrpc|config|provider]] [--version] [--help]

    Speaks JSON-RPC 2.0 on standard input and output, one message a line or with Content-Length headers.
    Try: echo '{"jsonrpc":"2.0","id":1,"method":"accounts"}' | oauth-stdio

    """

  init(_ arguments: [String]) throws(Fault) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      var name = argument
      var inline: String?
      if argument.hasPrefix("--"), let mark = argument.firstIndex(of: "=") {
        name = String(argument[..<mark])
        inline = String(argument[argument.index(after: mark)...])
      }
      func value() throws(Fault) -> String {
        // A shell expands an unset variable to an empty value, and an empty folder would mean the root folder.
        guard let found = inline ?? rest.popFirst(), !found.isEmpty else { throw Fault(message: "\(name) needs a value") }
        return found
      }
      func noValue() throws(Fault) {
        if inline != nil { throw Fault(message: "\(name) takes no value") }
      }
      switch name {
      case "--config": configuration = try value()
      case "--store": store = try value()
      case "--key":
        guard let source = KeySource(try value()) else {
          throw Fault(message: "--key must be file, keyring or command:…, with a command of at most 1992 bytes")
        }
        key = source
      case "--framing":
        guard let found = Framing(rawValue: try value()) else { throw Fault(message: "--framing must be lines or headers") }
        framing = found
      case "--events": events = try Self.choice(try value())
      case "--log-level":
        guard let level = LogMessage.Level(rawValue: try value()) else {
          throw Fault(message: "--log-level must be error, warning, info or debug")
        }
        logLevel = level
      case "--schema":
        guard let name = Schema.Name(rawValue: inline ?? "openrpc") else {
          throw Fault(message: "--schema must be openrpc, config or provider")
        }
        action = .schema(name)
      case "--trust-owner":
        guard let owner = UInt32(try value()) else { throw Fault(message: "--trust-owner must be the number of a user") }
        trustedOwners.append(owner)
      case "--audit": audit = try value()
      case "--profile":
        guard profile == nil else { throw Fault(message: "--profile is given twice") }
        profile = try value()
      case "--accounts": limits.accounts = (limits.accounts ?? []) + Self.list(try value())
      case "--allow": limits.allow = (limits.allow ?? []) + Self.list(try value())
      case "--allow-call":
        let text = try value()
        limits.allowCall =
          (limits.allowCall ?? []) + [try Self.checked(name) { () throws(FieldError) in try LimitProfile.rule(text, at: "") }]
      case "--files":
        guard limits.files == nil else { throw Fault(message: "--files is given twice") }
        let text = try value()
        limits.files = try Self.checked(name) { () throws(FieldError) in try LimitProfile.folder(text, at: "") }
      case "--read-only":
        try noValue()
        limits.readOnly = true
      case "--no-tokens":
        try noValue()
        limits.noTokens = true
      case "--known-providers":
        try noValue()
        limits.knownProviders = true
      case "--allow-export":
        try noValue()
        allowsExport = true
      case "--version":
        try noValue()
        action = .version
      case "--help", "-h":
        try noValue()
        action = .help
      default: throw Fault(message: "the option \(name) is unknown")
      }
    }
  }

  private static func list(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }

  private static func checked<Value>(_ option: String, _ work: () throws(FieldError) -> Value) throws(Fault) -> Value {
    do throws(FieldError) {
      return try work()
    } catch {
      throw Fault(message: "\(option) \(error.problem)")
    }
  }

  private static func choice(_ text: String) throws(Fault) -> Notifier.Choice {
    switch text {
    case "all": return .all
    case "none": return .none
    default:
      let names = text.split(separator: ",").map(String.init)
      for name in names where !Events.names.contains(name) { throw Fault(message: "--events: the event \(name) is unknown") }
      return .only(Set(names))
    }
  }
}
