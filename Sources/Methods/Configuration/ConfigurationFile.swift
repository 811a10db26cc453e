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
    guard let (json, text, outline) = try file.read(without: "accounts") else {
      if isRequired { throw file.invalid("", "does not exist") }
      cache.last.withLock { $0 = (state, nil) }
      return nil
    }
    var content = try file.decoded { () throws(FieldError) in try Content.decode(json) }
    content.accounts = ConfiguredAccounts(in: file, text, outline)
    cache.last.withLock { $0 = (state, content) }
    return content
  }

  private func warn(hasLiteralSecret: Bool) { if hasLiteralSecret, !file.isPrivate { log.take(.secretReadable(file.path)) } }

  /// Returns the account's entry, or nil if the file has none.
  @Sendable package func account(_ name: String) throws(OAuthFailure) -> ConfiguredAccount? {
    guard let content = try read() else { return nil }
    do throws(OAuthFailure) {
      guard var account = try content.accounts?.entry(name) else { return ConfiguredAccount(client: content.client) }
      warn(hasLiteralSecret: account.hasLiteralSecret)
      account.place = (name, file)
      account.takeUnlessSet(content.client)
      return account
    } catch {
      log.take(.fileBroken(error.message))
      throw error
    }
  }

  /// Returns the entry of this name that is for another token of a login; nil if there is none that can be read. Requests that need no configuration
  /// are not disturbed by a fault in it.
  @Sendable package func derived(_ name: String) -> DerivedAccount? { (try? readable?.accounts?.entry(name))??.derived }

  /// What the file says, or said last while it cannot be read: an entry must not become a login meanwhile.
  private var readable: Content? { do { return try decoded() } catch { return cache.last.withLock { $0?.content } } }

  /// The entries that are for other tokens of logins, by their names.
  var derivedAccounts: [String: DerivedAccount] { (try? readable?.accounts?.summary())??.derived ?? [:] }

  /// Returns the names of those of one login.
  @Sendable func derivedNames(of login: String) -> [String] {
    derivedAccounts.filter { AccountKey($0.value.login) == AccountKey(login) }.map(\.key)
  }

  /// Returns the set of limits of this name. The process must not start without limits that the user wants.
  func limits(_ profile: String) throws(OAuthFailure) -> LimitProfile {
    guard let limits = try read()?.profiles[profile] else { throw file.invalid("/profiles", "has no set of limits named \(profile)") }
    let place = ObjectReader.pointer(to: profile, in: "/profiles")
    return try file.decoded { () throws(FieldError) in try LimitProfile.read(limits, at: place) }
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

  private var readableAccounts: [ConfiguredAccount] { (try? read()?.accounts?.readable()) ?? [] }

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
    guard let summary = try read()?.accounts?.summary() else { return [] }
    warn(hasLiteralSecret: summary.hasLiteralSecret)
    return summary.names
  }

  /// Returns the same for one account; nil if it is not configured.
  func isForClient(_ account: String) throws(OAuthFailure) -> Bool? { try read()?.accounts?.entry(account)?.isForClient }

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
    /// nil while the members are described.
    fileprivate(set) var accounts: ConfiguredAccounts?
    var profiles: NamedValues<JSON>
    /// The account for each host of Git or of a registry that several accounts serve.
    var hosts: NamedValues<String>
    /// Where the key of a new store is stored.
    var key: KeySource?
    var httpHosts: [String]
    /// The client of accounts that have no other.
    var client: (url: String?, ports: [Int]?)

    package init(_ fields: inout ObjectReader) throws(FieldError) {
      let _: NamedValues<ConfiguredAccount> = try fields.optional(
        "accounts", default: .init(),
        "The accounts by name. The members that `authorize` has as params are defaults for them.")
      let key: String? = try fields.optional(
        "key",
        "Where the key of a new store is kept: `file` (beside the grants), `keyring`, or `command:…`, a shell command that prints the key in base64. "
          + "The command `rekey` moves the key of a store that has one.")
      if let key { self.key = try KeySource(key, at: fields.pointer("key")) }
      profiles =
        try fields.optional(
          "profiles", "Sets of limits by name, for the option `--profile`. A fault in a set affects only processes that name it.",
          schema: NamedValues<LimitProfile>.schema, default: .object([]), NamedValues<JSON>.read) ?? .init()
      hosts = try fields.optional(
        "hosts", default: .init(),
        "The account for each host of Git repositories, of a container registry or of an API that several accounts serve: `{\"ghcr.io\": \"work\"}`."
      )
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
