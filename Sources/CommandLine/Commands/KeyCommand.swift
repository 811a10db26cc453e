import Jansson
import Methods
import OAuthCore
import Plans
import Platform
import Signatures
import Store

/// Makes a private key for a client and prints its public half.
struct KeyCommand: EverydayCommand {
  static let name = "key"

  private let algorithm: JSONWebAlgorithm
  private let (keyring, file): (String?, String?)
  private let printsPEM: Bool

  static func run(_ words: [String], _ run: CommandRun) throws(Options.Fault) -> Int32 {
    let (publicKey, advice) = try KeyCommand(words).run()
    for line in advice { run.log.line(line, verbatim: line.hasPrefix("  {")) }
    run.log.flush()
    return run.print(publicKey)
  }

  private init(_ words: [String]) throws(Options.Fault) {
    guard words.first == "new" else { throw Options.Fault("key needs the word new") }
    let own = try OwnOptions(Array(words.dropFirst()), of: Self.self)
    if let other = own.rest.first { throw Options.Fault("key new does not take \(other.plain)") }
    (algorithm, printsPEM) = (try own.word("--algorithm") ?? .es256, !own["--pem"].isEmpty)
    (keyring, file) = (own["--keyring"].last, own["--file"].last)
    guard (keyring == nil) != (file == nil) else { throw Options.Fault("key new needs --keyring NAME or --file PATH") }
    guard keyring.map(SecretSource.isKeyringName) != false else { throw Options.Fault("--keyring needs a shorter name") }
  }

  /// Makes and saves the key. Returns what to print on standard output, and the next steps.
  private func run() throws(Options.Fault) -> (publicKey: String, advice: [String]) {
    guard let key = SigningKey.generated(algorithm: algorithm) else { throw Options.Fault("\(algorithm.rawValue) has no key pair") }
    let source = try save(Array(Self.lines(key.pem.value).utf8))
    let (id, name) = (JSON.string(key.thumbprint), JSON.string(algorithm.rawValue))
    let json = JSON.object((key.publicKey.members ?? []) + [.init("kid", id), .init("alg", name), .init("use", "sig")])
    let members: JSON = ["privateKey": source, "keyId": id, "signingAlgorithm": name]
    return (
      printsPEM ? Self.lines(key.publicPEM) : String(decoding: IndentedJSON.text(json.text), as: UTF8.self) + "\n",
      [
        "Register the public key on standard output for the client. The account's entry in the configuration then needs these members:",
        "  \(members.line)",
        "To replace a key, make the second one and register it beside the first. Then change the configuration, and remove the first at the server.",
      ]
    )
  }

  private static func lines(_ pem: String) -> String { pem.hasSuffix("\n") ? pem : pem + "\n" }

  /// Saves the key where there is none yet. Returns its source for the configuration.
  private func save(_ pem: [UInt8]) throws(Options.Fault) -> JSON {
    guard let file else {
      let name = keyring ?? ""
      do throws(Keyring.Fault) {
        var present: [UInt8] = []
        do throws(Keyring.Fault) { present = try Keyring.find(.clientSecret, name) } catch { if error != .missing { throw error } }
        guard present.isEmpty else { throw .failed("it has the secret \(name.plain) already, which stays") }
        try Keyring.store(.clientSecret, name, label: "OAuth client key \(name)", pem)
      } catch {
        throw Options.Fault(StorageFailure.ofKeyring(error, missing: "").message)
      }
      return ["keyring": .string(name)]
    }
    let path = file.hasPrefix("/") ? file : try SetupCommand.whole(file)
    do throws(PosixFile.Fault) { try PosixFile.writeNew(path, pem) } catch {
      throw Options.Fault("\(path.plain) \(error.code == EEXIST ? "exists already" : "cannot be written: \(error.reason)")")
    }
    return ["file": .string(path)]
  }
}
