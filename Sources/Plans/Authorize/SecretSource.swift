import Jansson
import OAuthCore

/// A secret, key or token: a literal value, or its source.
package enum SecretSource: Sendable {
  case literal(Secret)
  case environment(String)
  case command([String])
  case keyring(String)
  case file(String)
  /// The ID token of a job of GitHub Actions, for an audience.
  case githubActions(String)
  /// A token of another account.
  case account(String)
  /// A command that signs with a key which this process never sees.
  case signer([String])

  /// The kinds of sources, by their members. A client's key has one more than other secrets, and a token has two more.
  package enum Kind: String {
    case env, command, keyring, file
    case githubActions, account, sign

    package static let secret: [Kind] = [.env, .command, .keyring, .file]
    package static let key = secret + [.sign]
    package static let token = secret + [.githubActions, .account]

    var isCommand: Bool { self == .command || self == .sign }

    var schema: JSON {
      let value: JSON = isCommand ? ["type": "array", "items": ["type": "string"], "minItems": 1] : ["type": "string"]
      let properties = JSON.object([.init(rawValue, value)])
      let object: JSON = ["type": "object", "properties": properties, "required": [.string(rawValue)], "additionalProperties": false]
      return object.named("\(rawValue)Source")
    }
  }

  /// What has to be asked: a command or the keyring; nil for what is read each time.
  package var asked: [String]? {
    switch self {
    case .command(let words): ["command"] + words
    case .keyring(let name): ["keyring", name]
    case .literal, .environment, .file, .githubActions, .account, .signer: nil
    }
  }

  /// The secret itself; nil for its source.
  var literal: Secret? { if case .literal(let secret) = self { secret } else { nil } }

  /// Whether the text itself is secret. A certificate without its key is public.
  var isLiteralSecret: Bool {
    guard let text = literal?.value, !text.isEmpty else { return false }
    return !text.contains("BEGIN CERTIFICATE") || text.contains("PRIVATE KEY")
  }

  /// In bytes. A longer name in the keyring would be cut.
  private static let longestName = 500

  package static func isKeyringName(_ name: String) -> Bool { 1...longestName ~= name.utf8.count && !name.utf8.contains(0) }

  package static func read(_ json: JSON, at path: String, of kinds: [Kind]) throws(FieldError) -> SecretSource {
    if json.string != nil || kinds.isEmpty { return .literal(try Secret.read(json, at: path)) }
    guard let member = json.members?.first, json.members?.count == 1, let kind = kinds.first(where: { $0.rawValue == member.name }) else {
      let forms = kinds.map { "{\"\($0.rawValue)\": \($0.isCommand ? "[…]" : "…")}" }
      throw FieldError(path, "must be a string, \(forms.dropLast().joined(separator: ", ")) or \(forms.last ?? "")")
    }
    let place = path + "/" + member.name
    var (text, words) = ("", [String]())
    if kind.isCommand { words = try [String].read(member.value, at: place) } else { text = try String.read(member.value, at: place) }
    if kind == .keyring, !isKeyringName(text) {
      throw FieldError(place, "must have from 1 to \(longestName) bytes, and no U+0000")
    }
    if kind == .file, !text.hasPrefix("/") || text.utf8.contains(0) { throw FieldError(place, "must be an absolute path") }
    if text.isEmpty, words.isEmpty { throw FieldError(place, "must not be empty") }
    switch kind {
    case .env: return .environment(text)
    case .command: return .command(words)
    case .keyring: return .keyring(text)
    case .file: return .file(text)
    case .githubActions: return .githubActions(text)
    case .account: return .account(text)
    case .sign: return .signer(words)
    }
  }
}

extension ObjectReader {
  /// Reads a secret, key or token, or its source of one of these kinds. Without a kind, it is a text.
  mutating func source(
    _ name: String, of kinds: [SecretSource.Kind] = SecretSource.Kind.secret, _ text: String
  ) throws(FieldError) -> SecretSource? {
    try optional(name, text, schema: kinds.isEmpty ? Secret.schema : ["anyOf": .array([Secret.schema] + kinds.map(\.schema))]) {
      json, path throws(FieldError) in try SecretSource.read(json, at: path, of: kinds)
    }
  }
}
