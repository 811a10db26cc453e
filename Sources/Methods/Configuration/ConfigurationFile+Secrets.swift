import Jansson
import OAuthCore
import Plans
import Platform
import Store

/// Where an account's entry has its secrets and keys.
extension ConfigurationFile {
  /// Returns a name from the file in a form that is safe for a message.
  private static func shown(_ name: String) -> String { String(name.plain.unicodeScalars.prefix(200)) }

  /// Returns the signature that a configured command prints for the bytes.
  @Sendable func sign(_ words: [String], _ account: String, _ input: [UInt8], _ seconds: Int) async throws(OAuthFailure) -> [UInt8] {
    do throws(CommandOutput.Fault) {
      return try await CommandOutput.of(words, children, clock, input: input, seconds: seconds)
    } catch {
      // The message quotes only the program: the other words may be secret.
      let place = ObjectReader.pointer(to: account, in: "/accounts") + "/privateKey"
      throw file.invalid(place, "names the command \(Self.shown(words[0])) for signing, which failed: \(error.reason)")
    }
  }

  /// Returns a configured secret from its source. Of a file or a command's output it is the first line. Of a key in PEM or a service account's
  /// file it is everything.
  @Sendable func secret(_ source: SecretSource, _ account: String, _ member: String) async throws(OAuthFailure) -> Secret {
    let place = ObjectReader.pointer(to: account, in: "/accounts") + "/" + member
    func secret(in text: [UInt8]) -> Secret? {
      if member.hasSuffix("/pkcs12"), !text.isEmpty { return Secret(Base64.encode(text)) }
      let isWhole = ["privateKey", "serviceAccount", "clientCertificate/certificate", "clientCertificate/key"].contains(member)
      let found = isWhole ? text[...] : text.prefix { $0 != 10 && $0 != 13 }
      return found.isEmpty ? nil : Secret(String(decoding: found, as: UTF8.self))
    }
    switch source {
    case .literal(let secret): return secret
    case .environment(let name):
      guard let value = ProcessEnvironment.variable(name) else {
        throw file.invalid(place, "names the environment variable \(Self.shown(name)), which is not set")
      }
      return Secret(value)
    case .command(let words):
      do throws(CommandOutput.Fault) {
        let output = try await CommandOutput.of(words, children, clock)
        guard let found = secret(in: output) else { throw CommandOutput.Fault(reason: "it printed nothing") }
        return found
      } catch {
        // The message quotes only the program: the other words may be secret.
        throw file.invalid(place, "names the command \(Self.shown(words[0])), which failed: \(error.reason)")
          .with(\.isRetryable, error.reason.hasSuffix(Descriptors.exhausted))
      }
    case .keyring(let name):
      let shown = Self.shown(name)
      let found: [UInt8]
      do throws(Keyring.Fault) {
        found = try await Blocking.run { () throws(Keyring.Fault) in try Keyring.find(.clientSecret, name) }
      } catch {
        let missing = "names the secret \(shown), which the keyring does not have: sign in with oauth-stdio login, which asks for it"
        throw error == .missing ? file.invalid(place, missing) : StorageFailure.ofKeyring(error, missing: missing)
      }
      guard let secret = secret(in: found) else { throw file.invalid(place, "names the secret \(shown), which is empty in the keyring") }
      return secret
    case .file(let path):
      let found: [UInt8]?
      do throws(PosixFile.Fault) {
        found = try await Blocking.run { () throws(PosixFile.Fault) in try PosixFile.read(path, limit: 64 << 10) }
      } catch {
        throw file.invalid(
          place, "names the file \(Self.shown(path)), which cannot be read: \(error.isTooLarge ? "it is too large" : error.reason)")
      }
      guard let found, let secret = secret(in: found) else {
        throw file.invalid(place, "names the file \(Self.shown(path)), which \(found == nil ? "does not exist" : "is empty")")
      }
      // A token of a job or a container ends soon, and the platform sets its file's mode.
      let isLasting = ["clientSecret", "privateKey", "serviceAccount"].contains(member)
      if isLasting, (try? PosixFile.isPrivate(path)) == false { log.take(.secretReadable(path)) }
      return secret
    case .githubActions, .account, .signer: throw file.invalid(place, "is not a secret")
    }
  }
}
