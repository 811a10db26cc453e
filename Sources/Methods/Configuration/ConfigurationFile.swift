import Jansson
import OAuthCore
import Plans
import Platform
import Store
import Synchronization

/// The configuration file. Every request that needs it looks whether it has changed, so a change needs no restart. A fault in it stops nothing else.
package struct ConfigurationFile: KeyChoice {
  package let file: JSONFile
  /// Whether the user named the file. It must then exist.
  let isRequired: Bool
  /// The place of the key by `--key`; nil without that option.
  let keyOption: KeySource?
  /// Whether the command that prints the store's key may run.
  let runsKeyCommands: Bool
  /// The environment of a secret's command.
  package let children: ChildEnvironment
  let clock: Clock
  let log: any LogSink
  private let cache = Cache()

  /// What was read last.
  private final class Cache: Sendable { let last = Mutex<(state: JSONFile.FileState, content: Content?)?>(nil) }

  package func read() throws(OAuthFailure) -> Content? {
    do throws(OAuthFailure) {
      return try decoded()
    } catch {
      log.take(.fileBroken(error.message))
      throw error
    }
  }

  private func decoded() throws(OAuthFailure) -> Content? {
    // The look comes first, so a change during the read causes another read next time.
    let state = file.look()
    if state != .unknown, let last = cache.last.withLock({ $0 }), last.state == state { return last.content }
    guard let (json, accounts) = try file.read(without: "accounts") else {
      if isRequired { throw file.invalid("", "does not exist") }
      cache.last.withLock { $0 = (state, nil) }
      return nil
    }
    do {
      var content = try Content.decode(json)
      if let accounts {
        content.accounts = NamedValues(accounts.map { ($0, Content.Entry($1, at: ObjectReader.pointer(to: $0, in: "/accounts"))) })
      }
      cache.last.withLock { $0 = (state, content) }
      return content
    } catch {
      throw file.invalid(error.path, error.wholeProblem)
    }
  }

  private func warn(of entries: [Content.Entry<ConfiguredAccount>]) {
    let accounts = entries.lazy.compactMap { try? $0.value.get() }
    if accounts.contains(where: \.hasLiteralSecret), !file.isPrivate { log.take(.secretReadable(file.path)) }
  }

  /// Returns the account's entry, or nil if the file has none.
  @Sendable package func account(_ name: String) throws(OAuthFailure) -> ConfiguredAccount? {
    guard let content = try read() else { return nil }
    guard let entry = content.accounts[name] else { return ConfiguredAccount(client: content.client) }
    warn(of: [entry])
    switch entry.value {
    case .success(var account):
      account.place = (name, file)
      account.takeUnlessSet(content.client)
      return account
    case .failure(let fault):
      let failure = self.failure(fault, of: name)
      log.take(.fileBroken(failure.message))
      throw failure
    }
  }

  /// Returns the entry of this name that is for another token of a login; nil if there is none that can be read. Requests that need no configuration
  /// are not disturbed by a fault in it.
  @Sendable package func derived(_ name: String) -> DerivedAccount? { try? readable?.accounts[name]?.value.get().derived }

  /// What the file says, or said last while it cannot be read: an entry must not become a login meanwhile.
  private var readable: Content? { do { return try decoded() } catch { return cache.last.withLock { $0?.content } } }

  /// The entries that are for other tokens of logins, by their names.
  var derivedAccounts: [String: DerivedAccount] {
    let found = (readable?.accounts.pairs ?? []).compactMap { name, entry in (try? entry.value.get().derived).map { (name, $0) } }
    return Dictionary(found) { first, _ in first }
  }

  /// Returns the names of those of one login.
  @Sendable func derivedNames(of login: String) -> [String] {
    derivedAccounts.filter { AccountKey($0.value.login) == AccountKey(login) }.map(\.key)
  }

  /// Returns the set of limits of this name. The process must not start without limits that the user wants.
  func limits(_ profile: String) throws(OAuthFailure) -> LimitProfile {
    guard let entry = try read()?.profiles[profile] else { throw file.invalid("/profiles", "has no set of limits named \(profile)") }
    switch entry.value {
    case .success(let limits): return limits
    case .failure(let fault): throw file.invalid(fault.path, fault.wholeProblem)
    }
  }

  /// Returns whether http may reach the URL's host. Reads no other member, because the endpoints in the file are checked by this.
  @Sendable func allowsHTTP(to url: URLParts) -> Bool {
    let entries = (try? decoded())??.httpHosts ?? (try? file.read())??["httpHosts"]?.array?.compactMap(\.string) ?? []
    return entries.compactMap(PlainHosts.entry).contains { ($0.host, $0.port) == (url.host, url.port) }
  }

  /// Returns where the key of a new store is stored; nil if the file doesn't say so. Only the user's own file may name a command.
  func key() throws(OAuthFailure) -> KeySource? {
    let key = try read()?.key
    guard case .command? = key, !file.isOwn else { return key }
    throw file.invalid("/key", "names a command, which runs only if the process's own user owns the file")
  }

  package func wantedKey() throws(OAuthFailure) -> KeySource? { if let keyOption { keyOption } else { try key() } }

  private var readableAccounts: [ConfiguredAccount] { ((try? read())??.accounts.pairs ?? []).compactMap { try? $0.value.value.get() } }

  /// Where the secrets of the readable accounts come from.
  private var secretSources: [SecretSource] { readableAccounts.flatMap(\.secretSources) }

  /// The files from which the accounts' secrets are read.
  var secretFiles: [String] { secretSources.compactMap { if case .file(let path) = $0 { path } else { nil } } }

  /// The words of the commands that print configured secrets, sign or open a browser, and of the one that prints the store's key. A program or a
  /// script is among them.
  var commandWords: [String] {
    let words = secretSources.flatMap { secret in
      switch secret {
      case .command(let words), .signer(let words): words
      default: [String]()
      }
    }
    let browsers = readableAccounts.flatMap { $0.browser ?? [] }
    guard case .command(let command)? = try? key() else { return words + browsers }
    return words + browsers + KeySource.words(of: command)
  }

  /// Returns the accounts' names, each with whether its tokens are the client's own, or with the fault of its entry.
  func names() throws(OAuthFailure) -> [(name: String, entry: Result<Bool, OAuthFailure>)] {
    let accounts = try read()?.accounts.pairs ?? []
    warn(of: accounts.map(\.value))
    return accounts.map { name, entry in (name, entry.value.map(\.isForClient).mapError { failure($0, of: name) }) }
  }

  /// Returns the same for one account; nil if it is not configured.
  func isForClient(_ account: String) throws(OAuthFailure) -> Bool? {
    guard let entry = try read()?.accounts[account] else { return nil }
    return try entry.value.map(\.isForClient).mapError { failure($0, of: account) }.get()
  }

  private func failure(_ fault: FieldError, of account: String) -> OAuthFailure { file.invalid(fault.path, fault.wholeProblem).of(account) }

  /// Returns what a shell command prints. The command is the source of the store's key.
  package func output(_ command: String) async throws(OAuthFailure) -> [UInt8] {
    guard runsKeyCommands else { throw StorageFailure.noCommands }
    do throws(CommandOutput.Fault) {
      return try await CommandOutput.of(["/bin/sh", "-c", command], children, clock)
    } catch {
      // The message does not quote the command, which may contain a secret.
      throw OAuthFailure(
        .storageFailure, "the command that prints the store's key failed: \(error.reason)", details: [.init("key", "command")],
        isRetryable: true)
    }
  }
}

extension ConfigurationFile {
  /// The configuration file: accounts by name, each with default params of `authorize`.
  package struct Content: FieldReadable {
    /// One account or set of limits, or its fault, decoded when it is first asked for. A fault affects nothing else.
    final class Entry<Value: Sendable>: Sendable {
      /// The text of the JSON value.
      fileprivate let text: ArraySlice<UInt8>
      fileprivate let path: @Sendable () -> String
      fileprivate let decoded = Mutex<Result<Value, FieldError>?>(nil)

      init(_ text: ArraySlice<UInt8>, at path: @escaping @autoclosure @Sendable () -> String) { (self.text, self.path) = (text, path) }
    }

    var accounts: NamedValues<Entry<ConfiguredAccount>>
    var profiles: NamedValues<Entry<LimitProfile>>
    /// The account for each host of Git or of a registry that several accounts serve.
    var hosts: NamedValues<String>
    /// Where the key of a new store is stored.
    var key: KeySource?
    var httpHosts: [String]
    /// The client of accounts that have no other.
    var client: (url: String?, ports: [Int]?)

    package init(_ fields: inout ObjectReader) throws(FieldError) {
      accounts = try fields.optional(
        "accounts", default: .init(),
        "The accounts by name. The members that `authorize` has as params are defaults for them.")
      let key: String? = try fields.optional(
        "key",
        "Where the key of a new store is kept: `file` (beside the grants), `keyring`, or `command:…`, a shell command that prints the key in base64. "
          + "The command `rekey` moves the key of a store that has one.")
      if let key {
        guard let source = KeySource(key) else {
          throw FieldError(fields.pointer("key"), "must be file, keyring or command:…, with a command of at most 1992 bytes")
        }
        self.key = source
      }
      profiles = try fields.optional(
        "profiles", default: .init(),
        "Sets of limits by name, for the option `--profile`. A fault in a set affects only processes that name it.")
      hosts = try fields.optional(
        "hosts", default: .init(),
        "The account for each host of Git repositories or of a container registry that several accounts serve: `{\"ghcr.io\": \"work\"}`.")
      httpHosts = try fields.optional(
        "httpHosts", default: [],
        "Hosts that http may reach, each with its port: `[\"keycloak:8080\"]`. They must be on this machine or in a private network. "
          + "Their requests use no proxy, and no redirect from https leads to them.")
      for (index, host) in httpHosts.enumerated() where PlainHosts.entry(host) == nil {
        throw FieldError(fields.pointer("httpHosts") + "/\(index)", "must be a host and its port, such as keycloak:8080")
      }
      client = try SignInOptions.clientMetadata(&fields)
      let _: String? = try fields.optional("$schema", "The URL of the schema with which an editor checks this file.")
    }
  }
}

extension ConfigurationFile.Content.Entry: FieldValue where Value: FieldValue {
  static var schema: JSON { Value.schema }
  static var schemaName: String? { Value.schemaName }
  static var placeholder: ConfigurationFile.Content.Entry<Value> { .init([], at: "") }

  static func read(_ json: JSON, at path: String) -> ConfigurationFile.Content.Entry<Value> { .init(json.text[...], at: path) }

  var value: Result<Value, FieldError> {
    if let decoded = decoded.withLock({ $0 }) { return decoded }
    let json = (try? JSON.parse(Array(text))) ?? .null
    let read = Result { () throws(FieldError) in try Value.read(json, at: path()) }
    decoded.withLock { $0 = read }
    return read
  }

  func write(to writer: inout JSONWriter) { writer.null() }
}
