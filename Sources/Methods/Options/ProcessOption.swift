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
  package let text: String
  /// Adds the option to the others. The value is empty if the option takes none or has none.
  let read: Read

  typealias Read = @Sendable (inout Options, _ value: String) throws(Options.Fault) -> Void

  private init(_ name: String, _ value: Value, _ text: String, read: @escaping Read) {
    (self.name, self.value, self.text, self.read) = (name, value, text, read)
  }

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
    ProcessOption(
      "--config", .one("FILE"),
      "Reads the configuration from this file, by default `oauth-stdio/config.json` in `$XDG_CONFIG_HOME`, or in `~/.config` "
        + "if that is unset. It may be a pipe, as in bash's `--config <(…)`, and is then read once, at the start; `login` saves nothing in it."
    ) { $0.configuration = $1 },
    ProcessOption(
      "--store", .one("DIR|postgresql://…|memory"),
      "Stores grants in this folder, by default `oauth-stdio` in `$XDG_DATA_HOME`, or in `~/.local/share` if that is unset; "
        + "`memory` stores nothing on disk. A folder on a network file system reports no changes by other machines. "
        + "`postgresql://…` (as libpq reads it, with TLS modes, several hosts, `.pgpass` and service files; Debian's `libpq5`) "
        + "stores them in one table of a database that several machines share. All machines need the same key: copy the file "
        + "`key` of the default folder, or name a command with `--key`. Without `sslmode`, a "
        + "server on another machine must have a certificate that this machine trusts (`verify-full`). Only one machine refreshes a "
        + "grant at a time; locks end after 80 seconds without a result. A server that fails over asynchronously may lose the last write: the provider then "
        + "has rotated a refresh token that is lost, and the user must sign in again; synchronous replication prevents that. "
        + "Prefer `.pgpass` to a password in the URI, which other users of the machine can see. Name only a folder that you "
        + "trust: its key file may name a command, which the process runs if its own user owns the file."
    ) { $0.store = $1 },
    ProcessOption(
      "--key", .one("file|keyring|command:…"),
      "Keeps the key of a new store in a file beside the grants (`file`, the default), in the user's keyring (`keyring`), or "
        + "where a shell command prints it in base64 (`command:…`). The command `rekey` moves the key of a store that has one."
    ) { (options: inout Options, value: String) throws(Options.Fault) in
      guard let source = KeySource(value) else {
        throw Options.Fault("--key must be file, keyring or command:…, with a command of at most 1992 bytes")
      }
      options.key = source
    },
    ProcessOption(
      "--framing", .one("lines|headers"),
      "Sets the framing. By default, the process detects the framing of each message and answers in the same one."
    ) { (options: inout Options, value: String) throws(Options.Fault) in options.framing = try Options.word("--framing", value) },
    ProcessOption(
      "--events", .one("all|none|json|NAME,…"),
      "Chooses the events that the process sends, by default all. A command shows them on standard error as text, or as JSON with `json`. By "
        + "default, a command for scripts, such as `token`, shows only what the user must act on."
    ) { (options: inout Options, value: String) throws(Options.Fault) in
      options.choosesEvents = true
      options.showsJSONEvents = value == "json"
      options.events = value == "json" ? .all : try Options.choice(value)
    },
    ProcessOption(
      "--log-level", .one("error|warning|info|debug"),
      "Chooses what the log on stderr contains, by default `warning`, and `error` for a command."
    ) { (options: inout Options, value: String) throws(Options.Fault) in options.logLevel = try Options.word("--log-level", value) },
    ProcessOption(
      "--log", .one("FILE"), "Appends the log to this file as well, because many hosts drop what a program writes to stderr."
    ) { $0.logPath = $1 },
    ProcessOption("--allow-export", .none, "Lets `exportGrant` return whole grants.") { options, _ in options.allowsExport = true },
    ProcessOption(
      "--trust-owner", .one("UID"),
      "Accepts files of this user, in addition to those of root and of the process's user. May be repeated."
    ) { (options: inout Options, value: String) throws(Options.Fault) in
      guard let owner = UInt32(value) else { throw Options.Fault("--trust-owner must be the number of a user") }
      options.trustedOwners.append(owner)
      FilePlace.trust(owner)
    },
    ProcessOption(
      "--audit", .one("FILE"),
      "Appends JSON lines to this file for every use of a credential: time, account, use, and profile. They contain no query, no "
        + "body and no secret. A method that returns a credential writes its line before it answers. A request that carries one has two "
        + "lines with the same id, HTTP method, host and path: one before it is sent, and one with the status or the failure after it. "
        + "A use whose first line cannot be written fails with `storageFailure`."
    ) { $0.audit = $1 },
    ProcessOption(
      "--accounts", .one("NAME,…"),
      "Lets the client use these accounts only. May be repeated, as may every option with a list."
    ) { $0.limits.accounts = ($0.limits.accounts ?? []) + Options.list($1) },
    ProcessOption(
      "--allow", .one("METHOD,…"),
      "Lets the client call these methods only. `initialize`, `initialized`, `rpc.discover`, `shutdown`, `exit` and "
        + "cancellations are always allowed."
    ) { $0.limits.allow = ($0.limits.allow ?? []) + Options.list($1) },
    ProcessOption(
      "--read-only", .none,
      "Forbids sign-ins, `revoke`, `signOut`, `importGrant`, the commands `rekey` and `copy`, a client's secret in a request, and API calls "
        + "with an HTTP method other than GET and HEAD. It does not know what a call does: some services write by GET. Tokens are still refreshed."
    ) { options, _ in options.limits.readOnly = true },
    ProcessOption(
      "--no-tokens", .none,
      "Forbids the methods that return a credential: `accessToken`, `authorizeRequest`, `hostCredential` and `exportGrant`, calls with TRACE, "
        + "and, like `--known-providers`, providers that the client describes: their endpoints would get the token. It searches no answer: a service that "
        + "repeats requests can show the token to the client, so allow only calls that you know with `--allow-call`."
    ) { options, _ in options.limits.noTokens = true },
    ProcessOption(
      "--allow-call", .one("'METHOD URL'"),
      "Allows an API call, such as `'GET https://api.github.com/**'`, and forbids all others. `GET,POST` and `*` name several "
        + "methods. In the path, `*` stands for a part without a slash, `**` for any text. The path must match as written and decoded once, "
        + "and it must not contain `%25`, `%2E`, `%5C` and `;`. The query is not checked. The rule applies to each redirect too. Providers that the client describes are forbidden as with `--known-providers`. Add `--no-tokens`: a "
        + "client with the token can call anything."
    ) { (options: inout Options, value: String) throws(Options.Fault) in
      let rule = try Options.checked("--allow-call", value) { text throws(FieldError) in try CallRule(text) }
      options.limits.allowCall = (options.limits.allowCall ?? []) + [rule]
    },
    ProcessOption(
      "--files", .one("DIR"),
      "Names the only folder for `saveTo` and for files in a body. With any limit, requests use no other files. A relative path "
        + "begins there, and no link leads out. The folder must not contain, or lie in, the folder of the store, its key, the configuration, its "
        + "secrets, the provider files or the audit file. The words of a command may name any file."
    ) { (options: inout Options, value: String) throws(Options.Fault) in
      guard options.limits.files == nil else { throw Options.Fault("--files is given twice") }
      options.limits.files = try Options.checked("--files", value) { text throws(FieldError) in try FileFolder(text) }
    },
    ProcessOption(
      "--known-providers", .none,
      "Forbids providers that the client describes or names by URL, and `variables`, which choose a provider's hosts."
    ) { options, _ in options.limits.knownProviders = true },
    ProcessOption(
      "--profile", .one("NAME"),
      "Adds the limits of this profile, which the configuration has in `profiles`."
    ) { (options: inout Options, value: String) throws(Options.Fault) in
      guard options.profile == nil else { throw Options.Fault("--profile is given twice") }
      options.profile = value
    },
    ProcessOption(
      "--schema", .maybe("openrpc|config|provider"),
      "Prints a schema, by default the OpenRPC document, and exits."
    ) { (options: inout Options, value: String) throws(Options.Fault) in
      options.action = .schema(try Options.word("--schema", value == "" ? SchemaName.openrpc.rawValue : value))
    },
    ProcessOption(
      "--completion", .one("bash|zsh|fish"),
      "Prints a shell's completion of this program, such as for `source <(oauth-stdio --completion bash)`, and exits."
    ) { $0.action = .completion($1) },
    ProcessOption(
      "--complete", .rest("WORD…"),
      "Prints the completions of the last word. The shells' completions call this."
    ) { options, _ in options.action = .complete([]) },
    ProcessOption(
      "--man", .none, "Prints the manual page in roff, such as for `oauth-stdio --man | man -l -`, and exits."
    ) { options, _ in options.action = .manual },
    ProcessOption("--version", .none, "Prints the version and exits.") { options, _ in options.action = .version },
    ProcessOption(
      "--help", .none,
      "Prints the everyday commands and exits. `help options` prints this list."
    ) { options, _ in options.action = .help(nil) },
  ]
}
