import Crypto
import Jansson
import OAuthCore

/// The file in which another program stores a grant: a token response, and often the client, the provider and the scopes beside it.
package struct ImportedFile {
  /// An object. Beside the file's own members, it has those of a token response at the top and under their standard names.
  private(set) var json: JSON

  /// Names of members in other programs' files, in small letters alone, by the standard name.
  private static let names: KeyValuePairs<String, [String]> = [
    "access_token": ["accesstoken", "token"], "refresh_token": ["refreshtoken"], "id_token": ["idtoken"], "token_type": ["tokentype"],
    "expires_in": ["expiresin"], "scope": ["scopes"], "client_id": ["clientid"], "client_secret": ["clientsecret"], "issuer": ["issuerurl"],
  ]

  /// Values of the member `type` in the files of gcloud and rclone that are no preset's name, and what begins the scopes there.
  private static let types: [String: (preset: String, scopePrefix: String)] = [
    "authorized_user": ("google", ""), "drive": ("google", "https://www.googleapis.com/auth/"), "google photos": ("google", ""),
    "google cloud storage": ("google", ""), "onedrive": ("microsoft", ""),
  ]

  private static let secrets: Set = [
    "accesstoken", "refreshtoken", "idtoken", "token", "tokens", "oauthtoken", "oauthtokensecret", "oauthsessionhandle", "clientsecret",
    "oauthstdio",
  ]

  /// Whether a member of this name may hold a secret.
  static func isSecret(_ name: String) -> Bool { secrets.contains(letters(name)) }

  /// Programs write the same name with capitals, underscores or dashes.
  static func letters(_ name: String) -> String { name.lowercased().filter(\.isLetter) }

  /// Reads JSON, the sections of rclone, or an access token by itself.
  init(_ data: JSON, at path: String) throws(FieldError) {
    json = data
    if case .string(let text) = data { json = try Self.object(text, at: path) }
    guard let members = json.members else { throw FieldError(path, "must be an object, not \(json.kind)") }
    // What this program exported has the standard names.
    guard json[GrantFacts.member] == nil else { return }
    var all = Self.flat(json) ?? members
    for (name, others) in Self.names where !all.contains(where: { $0.name == name && Self.isText($0.value) }) {
      guard let other = all.first(where: { others.contains(Self.letters($0.name)) && Self.isText($0.value) }) else { continue }
      all.removeAll { $0.name == name }
      all.append(.init(name, other.value))
    }
    json = .object(all)
    if let prefix = type?.scopePrefix, !prefix.isEmpty, let scopes = json["scope"]?.scopes {
      let whole = scopes.map { JSON.string($0.contains("://") ? $0 : prefix + $0) }
      json = .object(all.map { $0.name == "scope" ? .init("scope", .array(whole)) : $0 })
    }
  }

  private static func object(_ text: String, at path: String) throws(FieldError) -> JSON {
    switch text.unicodeScalars.first(where: { $0.value > 0x20 }) {
    case nil: throw FieldError(path, "is empty")
    case "{", "\"":
      guard let json = try? JSON.parse(Array(text.utf8)) else { throw FieldError(path, "is not valid JSON") }
      return json
    case "[":
      let sections = sections(text)
      guard flat(sections) != nil else {
        throw FieldError(path, "must have one section with tokens", ": pass what rclone config show NAME prints")
      }
      return sections
    default:
      guard text.split(whereSeparator: \.isNewline).first?.last != ":" else {
        throw FieldError(
          path, "is YAML, which is not read", ": for the login of gh, run gh auth token | oauth-stdio import ACCOUNT - --provider github")
      }
      return ["access_token": .string(try ImportedGrant.token(text, at: path)?.value ?? "")]
    }
  }

  /// Reads lines `[section]` and `name = value`.
  private static func sections(_ text: String) -> JSON {
    var sections: [(name: String, members: [JSON.Member])] = []
    for line in text.split(whereSeparator: \.isNewline).map(\.trimmed) {
      if line.hasPrefix("["), line.hasSuffix("]") {
        sections.append((String(line.dropFirst().dropLast()), []))
      } else if let equals = line.firstIndex(of: "="), !sections.isEmpty {
        let (name, value) = (line[..<equals].trimmed, line[line.index(after: equals)...].trimmed)
        sections[sections.count - 1].members.append(.init(String(name), .string(String(value))))
      }
    }
    return .object(sections.map { .init($0.name, .object($0.members)) })
  }

  /// Returns the members with those of the one object within that has tokens, even as text; nil if none has, or several have.
  private static func flat(_ json: JSON, depth: Int = 2) -> [JSON.Member]? {
    guard let members = json.members else { return nil }
    let tokens = ["accesstoken", "refreshtoken", "oauthtoken", "token"]
    if members.contains(where: { tokens.contains(letters($0.name)) && isText($0.value) }) { return members }
    guard depth > 0 else { return nil }
    let found = members.compactMap { member -> [JSON.Member]? in
      let text = member.value.string.flatMap { $0.hasPrefix("{") ? try? JSON.parse(Array($0.utf8)) : nil }
      return flat(text ?? member.value, depth: depth - 1)
    }
    guard found.count == 1 else { return nil }
    return found[0] + members.filter { member in !found[0].contains { $0.name == member.name } }
  }

  /// Whether it is the value of a name: neither an object, even as text, nor nothing.
  private static func isText(_ value: JSON) -> Bool {
    switch value {
    case .string(let text): !text.isEmpty && !text.hasPrefix("{")
    case .object, .null: false
    default: true
    }
  }

  private var type: (preset: String, scopePrefix: String)? { json["type"]?.string.flatMap { Self.types[$0] } }

  /// The name of a preset, if there is one of this name.
  var providerName: String? { type?.preset ?? json["type"]?.string }

  /// The client with these tokens; nil if the file names none.
  var client: Client? {
    func text(_ name: String) -> String? { json[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
    return text("client_id").map { Client(id: $0, secret: text("client_secret").map { Secret($0) }) }
  }

  /// The start of the names of mcp-remote's files for a server: a hash of its URL.
  package static func name(ofServer url: String) -> String { Hexadecimal.encode(Array(Insecure.MD5.hash(data: Array(url.utf8)))) }
}
