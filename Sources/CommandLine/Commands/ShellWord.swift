import OAuthCore
import Store

extension ShellWord {
  /// Returns the program with options of the process, as advice for a person. A database's URI, which may have a password, is left out.
  static func command(_ arguments: [String]) -> String {
    (["oauth-stdio"] + arguments.map { quoted(withoutURI($0).plain) }).joined(separator: " ")
  }

  private static func withoutURI(_ argument: String) -> String {
    let name = argument.hasPrefix("--") ? String(argument.prefix { $0 != "=" }) + "=" : ""
    return PostgresStore.isURI(String(argument.dropFirst(name.count))) ? name + "postgresql://…" : argument
  }
}
