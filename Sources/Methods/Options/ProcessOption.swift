import JSONRPC
import Jansson
import OAuthCore
import Plans
import Platform
import Store

/// An option of the process. It stands before the method.
package struct ProcessOption: Sendable {
  package enum Value {
    case none
    /// With the form of the value, such as `FILE`.
    case one(String)
    /// A value after `=`, or none.
    case maybe(String)
    /// All words that follow.
    case rest(String)
  }

  package let name: String
  package let value: Value
  /// Adds the option to the others. The value is empty if the option takes none or has none.
  let read: Read

  typealias Read = @Sendable (inout Options, _ value: String) throws(Options.Fault) -> Void

  private init(_ name: String, _ value: Value, read: @escaping Read) { (self.name, self.value, self.read) = (name, value, read) }

  private static let texts = (try? JSON.parse(PackageResources.OptionTexts_json)) ?? .null

  /// What the option does, from `OptionTexts.json`. Only help and schema read it.
  package var text: String { Self.texts[name]?.string ?? "" }

  /// Whether the word is an option whose value is the next word.
  package static func takesValue(_ word: String) -> Bool {
    all.contains { if $0.name == word, case .one = $0.value { true } else { false } }
  }

  /// The option with the form of its value.
  package var usage: String {
    switch value {
    case .none: name
    case .one(let form), .rest(let form): "\(name) \(form)"
    case .maybe(let form): "\(name)[=\(form)]"
    }
  }
}

extension ProcessOption {
  /// All options, in the order of the help.
  package static let all: [ProcessOption] = [
    ProcessOption("--config", .one("FILE")) { $0.configuration = $1 },
    ProcessOption("--store", .one("DIR|postgresql://…|memory")) { $0.store = $1 },
    ProcessOption("--key", .one("file|keyring|command:…")) { (options: inout Options, value: String) throws(Options.Fault) in
      options.key = try Options.checked("--key", value) { value throws(FieldError) in try KeySource(value, at: "") }
    },
    ProcessOption("--framing", .one("lines|headers")) { (options: inout Options, value: String) throws(Options.Fault) in
      options.framing = try Options.word("--framing", value)
    },
    ProcessOption("--events", .one("all|none|json|NAME,…")) { (options: inout Options, value: String) throws(Options.Fault) in
      options.choosesEvents = true
      options.showsJSONEvents = value == "json"
      options.events = value == "json" ? .all : try Options.choice(value)
    },
    ProcessOption("--log-level", .one("error|warning|info|debug")) { (options: inout Options, value: String) throws(Options.Fault) in
      options.logLevel = try Options.word("--log-level", value)
    },
    ProcessOption("--log", .one("FILE")) { $0.logPath = $1 },
    ProcessOption("--allow-export", .none) { options, _ in options.allowsExport = true },
    ProcessOption("--trust-owner", .one("UID")) { (options: inout Options, value: String) throws(Options.Fault) in
      guard let owner = UInt32(value) else { throw Options.Fault("--trust-owner must be the number of a user") }
      options.trustedOwners.append(owner)
      FilePlace.trust(owner)
    },
    ProcessOption("--audit", .one("FILE")) { $0.audit = $1 },
    ProcessOption("--accounts", .one("NAME,…")) { $0.limits.accounts = ($0.limits.accounts ?? []) + Options.list($1) },
    ProcessOption("--allow", .one("METHOD,…")) { $0.limits.allow = ($0.limits.allow ?? []) + Options.list($1) },
    ProcessOption("--read-only", .none) { options, _ in options.limits.readOnly = true },
    ProcessOption("--no-tokens", .none) { options, _ in options.limits.noTokens = true },
    ProcessOption("--allow-call", .one("'METHOD URL'")) { (options: inout Options, value: String) throws(Options.Fault) in
      let rule = try Options.checked("--allow-call", value) { text throws(FieldError) in try CallRule(text) }
      options.limits.allowCall = (options.limits.allowCall ?? []) + [rule]
    },
    ProcessOption("--files", .one("DIR")) { (options: inout Options, value: String) throws(Options.Fault) in
      guard options.limits.files == nil else { throw Options.Fault("--files is given twice") }
      options.limits.files = try Options.checked("--files", value) { text throws(FieldError) in try FileFolder(text) }
    },
    ProcessOption("--known-providers", .none) { options, _ in options.limits.knownProviders = true },
    ProcessOption("--profile", .one("NAME")) { (options: inout Options, value: String) throws(Options.Fault) in
      guard options.profile == nil else { throw Options.Fault("--profile is given twice") }
      options.profile = value
    },
    ProcessOption("--schema", .maybe("openrpc|config|provider")) { (options: inout Options, value: String) throws(Options.Fault) in
      options.action = .schema(try Options.word("--schema", value == "" ? SchemaName.openrpc.rawValue : value))
    },
    ProcessOption("--completion", .one("bash|zsh|fish")) { $0.action = .completion($1) },
    ProcessOption("--complete", .rest("WORD…")) { options, _ in options.action = .complete([]) },
    ProcessOption("--man", .none) { options, _ in options.action = .manual },
    ProcessOption("--version", .none) { options, _ in options.action = .version },
    ProcessOption("--help", .none) { options, _ in options.action = .help(nil) },
  ]
}
