import Jansson
import OAuth

/// The configuration file, read anew whenever an account of it is asked for, so that a change needs no restart and a fault in it stops nothing else.
struct ConfigurationFile: Sendable {
  let path: String
  /// Whether the user named it: then it has to be there.
  let isRequired: Bool
  let environment: @Sendable (String) -> String?

  private var file: JSONFile { JSONFile(path, "the configuration") }

  func read() throws(OAuthFailure) -> Configuration? {
    guard let json = try file.read() else {
      if isRequired { throw file.invalid("", "is not there") }
      return nil
    }
    do {
      return try Configuration.decode(json)
    } catch {
      throw file.invalid(error.path, error.problem)
    }
  }

  /// The account's entry; nil where the file says nothing of it.
  func account(_ name: String) throws(OAuthFailure) -> ConfiguredAccount? {
    try read()?.accounts[name]
  }

  func secret(_ source: SecretSource, account: String) async throws(OAuthFailure) -> Secret {
    let place = Fields.pointer(to: "clientSecret", in: Fields.pointer(to: account, in: "/accounts"))
    switch source {
    case .literal(let secret): return secret
    case .environment(let name):
      guard let value = environment(name), !value.isEmpty else {
        throw file.invalid(place, "names an environment variable that is not set")
      }
      return Secret(value)
    case .command(let words):
      do throws(CommandOutput.Fault) {
        let output = try await CommandOutput.of(words)
        let line = output.prefix { $0 != 10 && $0 != 13 }
        guard !line.isEmpty else { throw CommandOutput.Fault(reason: "it printed nothing") }
        return Secret(String(decoding: line, as: UTF8.self))
      } catch {
        throw file.invalid(place, "names a command that failed: \(error.reason)")
      }
    }
  }
}
