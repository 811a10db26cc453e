import Jansson
import Methods
import OAuthCore
import Plans
import Store

/// Sources of secrets and tokens among the words of `authorize` and `login`. The words then count as the account's entry in the configuration, for
/// this process alone: it stores no secret, and no client can name what a process reads or runs.
enum CommandSources {
  /// The members of an account that no client can send, since they name what the process reads.
  private static let own = ["serviceAccount", "executable", "subject", "impersonate"]
  /// The members that are secrets, keys or tokens: a source may stand for each.
  static let secrets = declarations.filter { member in
    member.schema["anyOf"]?.array?.contains { SchemaDefinitions.whole($0)["properties"]?["env"] != nil } == true
  }.map(\.name)
  private static let declarations = (try? ConfiguredAccount.declarations) ?? []

  /// The params of these commands beyond those of the method.
  static var params: [ObjectReader.Declaration] { declarations.filter { own.contains($0.name) } }

  /// Hands the account's entry to the session if a word names a source. Returns the other params.
  static func configure(_ session: CommandSession, by command: Command) throws(Options.Fault) -> [JSON.Member] {
    guard command.params.contains(where: namesSource) else { return command.params }
    guard command.method.name == Methods.authorize else { throw Options.Fault("only login and authorize take a source") }
    guard let account = command["account"]?.string else { throw Options.Fault("a source needs the name of the account") }
    let names = declarations.map(\.name)
    try session.configure(account, by: command.params.filter { names.contains($0.name) }.map { .init($0.name, value($0)) })
    return command.params.filter { !names.contains($0.name) || $0.name == "openBrowser" }
  }

  /// Returns the value as the configuration has it: a source, or a text. A JWK and a file of Google's are JSON, too.
  private static func value(_ param: JSON.Member) -> JSON {
    secrets.contains(param.name) ? source(param) ?? .string(param.value.string ?? param.value.line) : param.value
  }

  /// Returns the source that the value is; nil if it is none. Most values need no look at the declarations.
  private static func source(_ param: JSON.Member) -> JSON? {
    let text = param.value.string ?? param.value.line
    guard text.first == "{", let json = try? JSON.parse(Array(text.utf8)), isSource(json), secrets.contains(param.name) else { return nil }
    return json
  }

  private static func isSource(_ json: JSON) -> Bool {
    json.members?.count == 1 && SecretSource.Kind(rawValue: json.members?[0].name ?? "") != nil
  }

  private static func namesSource(_ member: JSON.Member) -> Bool {
    guard member.name == ClientCertificate.member else {
      return own.contains(member.name) || source(member) != nil
    }
    return member.value.members?.contains { $0.name == "pkcs12" || isSource($0.value) } == true
  }
}
