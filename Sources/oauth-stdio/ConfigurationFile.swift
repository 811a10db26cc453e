import Jansson
import OAuth

/// The configuration file, read anew whenever an account of it is asked for, so that a change needs no restart and a fault in it stops nothing else.
struct ConfigurationFile: Sendable {
  let path: String
  /// Whether the user named it: then it has to be there.
  let isRequired: Bool
  let environment: @Sendable (String) -> String?
  /// The environment that a secret's command is started with.
  let children: ChildEnvironment
  /// The limit that a secret's command is started with.
  let coreLimit: CoreLimit
  /// The users that it may belong to.
  let owners: TrustedOwners
  let remark: @Sendable (Remark) -> Void

  var file: JSONFile { JSONFile(path, "the configuration", owners) }

  /// A fault of the file at `place`, as a failure.
  func invalid(_ place: String, _ problem: String) -> OAuthFailure { file.invalid(place, problem) }

  func read() throws(OAuthFailure) -> Configuration? {
    do throws(OAuthFailure) {
      return try decoded()
    } catch {
      remark(.fileBroken(error.message))
      throw error
    }
  }

  private func decoded() throws(OAuthFailure) -> Configuration? {
    guard let json = try file.read() else {
      if isRequired { throw file.invalid("", "is not there") }
      return nil
    }
    if Self.hasLiteralSecret(json), !file.isPrivate { remark(.secretReadable(path)) }
    do {
      return try Configuration.decode(json)
    } catch {
      throw file.invalid(error.path, error.problem)
    }
  }

  /// Whether a secret stands in the file itself, and not where to get one.
  private static func hasLiteralSecret(_ json: JSON) -> Bool {
    func isLiteral(_ json: JSON?) -> Bool { json?.string?.isEmpty == false }
    return (json["accounts"]?.members ?? []).contains { account in
      isLiteral(account.value["clientSecret"]) || isLiteral(account.value["privateKey"])
        || isLiteral(account.value["provider"]?["privateKey"])
    }
  }

  /// The account's entry; nil where the file says nothing of it.
  func account(_ name: String) throws(OAuthFailure) -> ConfiguredAccount? {
    guard let entry = try read()?.accounts[name] else { return nil }
    switch entry.account {
    case .success(let account): return account
    case .failure(let fault):
      let failure = self.failure(fault, of: name)
      remark(.fileBroken(failure.message))
      throw failure
    }
  }

  /// The accounts' names, each with what is wrong with its entry.
  func names() throws(OAuthFailure) -> [(name: String, failure: OAuthFailure?)] {
    (try read()?.accounts.pairs ?? []).map { pair in
      guard case .failure(let fault) = pair.value.account else { return (pair.name, nil) }
      return (pair.name, failure(fault, of: pair.name))
    }
  }

  private func failure(_ fault: FieldError, of account: String) -> OAuthFailure { file.invalid(fault.path, fault.problem).of(account) }

  /// A fault of the provider that an account is configured with, told with the file and the place in it.
  func placing(_ failure: OAuthFailure, inProviderOf account: String) -> OAuthFailure {
    guard failure.kind == .configurationInvalid, let path = failure["path"]?.string, path.hasPrefix("/provider") else { return failure }
    let place = Fields.pointer(to: account, in: "/accounts") + path
    var placed = file.invalid(place, "has a fault: \(failure.message)").of(account)
    placed.details += failure.details.filter { $0.name != "path" }
    return placed
  }

  /// Adds what only the account's own client may have, where the caller has not said it.
  func addSecrets(of configured: ConfiguredAccount, account: String, to request: inout AuthorizeRequest) async throws(OAuthFailure) {
    guard request.clientId == configured.clientId else { return }
    if request.clientSecret == nil, let source = configured.clientSecret {
      request.clientSecret = try await secret(source, account: account, member: "clientSecret", lines: .first)
    }
    if let source = configured.privateKey {
      request.privateKey = try await secret(source, account: account, member: "privateKey", lines: .all)
    }
  }

  /// How much of what a command prints is the secret: its first line, or all of it for a key in PEM.
  private enum Lines { case first, all }

  /// A name of the file's, fit for a message.
  private static func shown(_ name: String) -> String {
    String(name.plain.unicodeScalars.prefix(200))
  }

  private func secret(_ source: SecretSource, account: String, member: String, lines: Lines) async throws(OAuthFailure) -> Secret {
    let place = Fields.pointer(to: member, in: Fields.pointer(to: account, in: "/accounts"))
    switch source {
    case .literal(let secret): return secret
    case .environment(let name):
      guard let value = environment(name), !value.isEmpty else {
        throw file.invalid(place, "names the environment variable \(Self.shown(name)), which is not set")
      }
      return Secret(value)
    case .command(let words):
      do throws(CommandOutput.Fault) {
        let output = try await CommandOutput.of(words, children, coreLimit)
        let printed = lines == .all ? output[...] : output.prefix { $0 != 10 && $0 != 13 }
        guard !printed.isEmpty else { throw CommandOutput.Fault(reason: "it printed nothing") }
        return Secret(String(decoding: printed, as: UTF8.self))
      } catch {
        // Its other words may hold what is nobody's business.
        var failure = file.invalid(place, "names the command \(Self.shown(words[0])), which failed: \(error.reason)")
        failure.isRetryable = error.reason.hasSuffix(Descriptors.exhausted)
        throw failure
      }
    }
  }
}
