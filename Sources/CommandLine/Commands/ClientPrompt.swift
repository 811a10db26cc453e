import Jansson
import Methods
import OAuthCore
import Plans
import Platform
import Store

/// Asks a person for the client that a provider needs, and saves it for the next sign-in.
struct ClientPrompt {
  /// A port for providers that accept a registered port only. It is below the ephemeral port range.
  private static let usualPort = "8765"
  /// Nothing answers there, and the user pastes the address that the browser then shows.
  private static let exampleOfHTTPS = "https://localhost/callback"

  let account: String
  let configuration: ConfigurationFile
  let log: Log

  /// What the user typed.
  struct Client {
    var id: String
    var secret: String?
    var redirectUri: String?
    var isSaved: Bool

    /// The params of `authorize`.
    var params: [JSON.Member] {
      [.init("clientId", .string(id))] + (secret.map { [.init("clientSecret", .string($0))] } ?? [])
        + (redirectUri.map { [.init("redirectUri", .string($0))] } ?? [])
    }
  }

  /// `provider` is the result of the method `provider`. Returns nil if the user gives no client.
  func ask(_ provider: JSON) -> Client? {
    let policy = provider["redirectPolicy"]?.string.flatMap(RedirectOptions.Policy.init)
    let redirect = (provider["redirectUri"]?.string ?? "").replacing("PORT", with: Self.usualPort)
    let shown = policy == .https ? Self.exampleOfHTTPS : Self.redirectUri(provider)
    let needed = " with \(policy == .https ? "an https redirect URI (callback URL), such as" : "the redirect URI (callback URL)"):"
    log.line("\(provider["name"]?.string ?? "The provider") needs a registered OAuth client:")
    log.line("  1. Open \(provider["registrationPage"]?.string.map { "this page:\n     " + $0 } ?? "the provider's page for apps.")")
    log.line("  2. Create an app\(shown.isEmpty ? "." : "\(needed)\n     \(shown)")")
    log.line("  3. Enter its client ID and client secret here.")
    log.flush()
    guard let id = Terminal.ask("Client ID:"), !id.isEmpty else {
      log.line("oauth-stdio: no client ID was typed")
      return nil
    }
    guard let secret = Terminal.ask("Client secret, which is not shown (Enter if there is none):", isHidden: true) else { return nil }
    guard TypedText.isWhole(id, "client ID", log), TypedText.isWhole(secret, "client secret", log) else { return nil }
    var client = Client(id: id, secret: secret.isEmpty ? nil : secret, isSaved: false)
    switch policy {
    case .pinnedPort: client.redirectUri = redirect
    case .https:
      guard let uri = Terminal.ask("Redirect URI as you registered it:") else { return nil }
      client.redirectUri = uri.isEmpty ? nil : uri
    case .anyPort, nil: break
    }
    if configuration.file.isPipe {
      log.line("The client is not saved, because the configuration is a pipe.")
      return client
    }
    guard let answer = Terminal.ask("Save the client in \(configuration.file.path.plain) after the sign-in? [Y/n]") else { return nil }
    client.isSaved = ["", "y", "yes"].contains(answer.lowercased())
    return client
  }

  /// Returns the redirect URI to register; empty if the provider has none. A provider that ignores the port wants the URI without one.
  static func redirectUri(_ provider: JSON) -> String {
    let uri = provider["redirectUri"]?.string ?? ""
    let isAnyPort = provider["redirectPolicy"]?.string == RedirectOptions.Policy.anyPort.rawValue
    return isAnyPort ? uri.replacing(":PORT", with: "") : uri.replacing("PORT", with: usualPort)
  }

  /// Saves the client as the account in the configuration, with the values of `params` that an account may have.
  /// The secret goes to the keyring, or without one to a file of the user alone.
  func save(_ client: Client, _ params: [JSON.Member]) {
    do throws(UserFile.Fault) {
      let allowed = Set(ConfiguredAccount.schema["properties"]?.members?.map(\.name) ?? [])
      // These are about this sign-in alone.
      let once = CommandSources.secrets + ["clientCertificate", "openBrowser", "timeout"]
      var members = (params + client.params).filter { allowed.contains($0.name) && !once.contains($0.name) }
      var place = ""
      if let secret = client.secret {
        let (source, name) = try saveSecret(Array(secret.utf8))
        members.append(.init("clientSecret", source))
        place = ", and its secret in \(name)"
      }
      try configuration.add(account, members)
      log.line("oauth-stdio: the client is saved in \(configuration.file.path.plain)\(place)")
    } catch {
      log.line("oauth-stdio: the client could not be saved: \(error.message)")
    }
  }

  private func saveSecret(_ secret: [UInt8]) throws(UserFile.Fault) -> (source: JSON, name: String) {
    let name = configuration.keyringName(account)
    if SecretSource.isKeyringName(name),
      (try? Keyring.store(.clientSecret, name, label: "OAuth client secret of \(name)", secret)) != nil,
      (try? Keyring.find(.clientSecret, name)) == secret
    {
      return (["keyring": .string(name)], "the keyring")
    }
    let path = try configuration.saveSecret(account, secret)
    return (["file": .string(path)], path.plain)
  }
}
