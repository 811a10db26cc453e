import Jansson
import Methods
import OAuth
import OAuthCore
import Platform
import Signatures
import Store

/// Makes a private key for a client and prints its public half.
struct KeyCommand {
  static let options: [(name: String, values: [String]?)] = [
    ("--algorithm", SigningAlgorithm.allCases.map(\.rawValue)), ("--keyring", []), ("--file", []), ("--pem", nil),
  ]

  private enum Place {
    case keyring(String)
    case file(String)
  }

  private var algorithm = SigningAlgorithm.es256
  private let place: Place
  private var printsPEM = false

  init(_ words: [String]) throws(Options.Fault) {
    guard words.first == "new" else { throw Options.Fault("key needs the word new") }
    var (places, rest) = ([Place](), words.dropFirst())
    func value(_ option: String) throws(Options.Fault) -> String {
      guard let value = rest.popFirst(), !value.isEmpty else { throw Options.Fault("\(option) needs a value") }
      return value
    }
    while let word = rest.popFirst() {
      switch word {
      case "--algorithm": algorithm = try Options.word(word, try value(word))
      case "--pem": printsPEM = true
      case "--keyring": places.append(.keyring(try value(word)))
      case "--file": places.append(.file(try value(word)))
      default: throw Options.Fault("key new does not take \(word.plain)")
      }
    }
    guard places.count == 1 else { throw Options.Fault("key new needs --keyring NAME or --file PATH") }
    place = places[0]
    if case .keyring(let name) = place, !ConfiguredAccount.SecretSource.isKeyringName(name) {
      throw Options.Fault("--keyring needs a shorter name")
    }
  }

  /// Makes and saves the key. Returns what to print on standard output, and the next steps.
  func run() throws(Options.Fault) -> (publicKey: String, advice: [String]) {
    guard let key = JSONWebAlgorithm(named: algorithm.rawValue).flatMap(SigningKey.generated) else {
      throw Options.Fault("no key could be made")
    }
    let (source, shown) = try save(key)
    let id = key.thumbprint
    let more: [JSON.Member] = [.init("kid", .string(id)), .init("alg", .string(algorithm.rawValue)), .init("use", "sig")]
    let json = JSON.object((key.publicKey.members ?? []) + more)
    let members: [JSON.Member] = [
      .init("privateKey", source), .init("keyId", .string(id)), .init("signingAlgorithm", .string(algorithm.rawValue)),
    ]
    return (
      printsPEM
        ? key.publicPEM + (key.publicPEM.hasSuffix("\n") ? "" : "\n")
        : String(decoding: IndentedJSON.text(json.text), as: UTF8.self) + "\n",
      [
        "The private key is in \(shown). Register the public key on standard output for the client, with the key ID \(id).",
        "Then the account's entry in the configuration needs these members:", "  \(JSON.object(members).line)",
        "To replace a key, make the second one and register it beside the first. Then change the configuration, and remove the first at the server.",
      ]
    )
  }

  private static func has(_ name: String) throws(Keyring.Fault) -> Bool {
    do throws(Keyring.Fault) { _ = try Keyring.find(.clientSecret, name) } catch {
      guard error == .missing else { throw error }
      return false
    }
    return true
  }

  /// Saves the key where there is none yet. Returns its source for the configuration.
  private func save(_ key: SigningKey) throws(Options.Fault) -> (source: JSON, shown: String) {
    let pem = Array(key.pem.value.utf8)
    switch place {
    case .keyring(let name):
      let isTaken: Bool
      do throws(Keyring.Fault) {
        isTaken = try Self.has(name)
        if !isTaken { try Keyring.store(.clientSecret, name, label: "OAuth client key \(name)", pem) }
      } catch {
        throw Options.Fault(StorageFailure.ofKeyring(error, missing: "the keyring has not kept the key").message)
      }
      guard !isTaken else { throw Options.Fault("the keyring has a secret \(name.plain) already: name another one") }
      return (["keyring": .string(name)], "the keyring as \(name.plain)")
    case .file(let path):
      let whole = path.hasPrefix("/") ? path : try SetupCommand.whole(path)
      do throws(PosixFile.Fault) { try PosixFile.writeNew(whole, pem) } catch {
        throw Options.Fault(
          error.code == EEXIST ? "\(path.plain) exists already: name another file" : "\(path.plain) cannot be written: \(error.reason)")
      }
      return (["file": .string(whole)], whole.plain)
    }
  }
}
