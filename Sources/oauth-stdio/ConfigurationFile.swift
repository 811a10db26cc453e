import Jansson
import OAuth

/// The configuration file, read anew whenever an account of it is asked for, so that a change needs no restart and a fault in it stops nothing else.
struct ConfigurationFile: Sendable {
  let path: String
  /// Whether the user named it: then it has to be there.
  let isRequired: Bool
  let environment: @Sendable (String) -> String?

  func read() throws(OAuthFailure) -> Configuration? {
    let bytes: [UInt8]?
    do throws(OAuthFailure) {
      bytes = try TextFile.read(path)
    } catch {
      throw invalid("", "cannot be read: \(error.message)")
    }
    guard let bytes else {
      if isRequired { throw invalid("", "is not there") }
      return nil
    }
    let json: JSON
    do {
      json = try JSON.parse(bytes)
    } catch .syntax(let position) {
      let line = bytes.prefix(position).count { $0 == 10 } + 1
      throw invalid("", "is no json at line \(line)")
    } catch {
      throw invalid("", "is no json that can be read")
    }
    do {
      return try Configuration.decode(json)
    } catch {
      throw invalid(error.path, error.problem)
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
      guard let value = environment(name), !value.isEmpty else { throw invalid(place, "names an environment variable that is not set") }
      return Secret(value)
    case .command(let words):
      do throws(CommandOutput.Fault) {
        let output = try await CommandOutput.of(words)
        let line = output.prefix { $0 != 10 && $0 != 13 }
        guard !line.isEmpty else { throw CommandOutput.Fault(reason: "it printed nothing") }
        return Secret(String(decoding: line, as: UTF8.self))
      } catch {
        throw invalid(place, "names a command that failed: \(error.reason)")
      }
    }
  }

  private func invalid(_ place: String, _ problem: String) -> OAuthFailure {
    OAuthFailure(
      .configurationInvalid, "the configuration \(path)\(place.isEmpty ? "" : ", \(place),") \(problem)",
      details: [.init("path", .string(place)), .init("file", .string(path))])
  }
}
