import OAuthCore
import Store

extension ShellWord {
  /// Returns the program with options of the process, as advice for a person. A database's password is left out.
  static func command(_ arguments: [String]) -> String {
    (["oauth-stdio"] + arguments.map { quoted(withoutPassword($0).plain) }).joined(separator: " ")
  }

  /// Returns an option or its value without a database's password.
  static func withoutPassword(_ argument: String) -> String {
    if PostgresStore.isURI(argument) { return PostgresStore.withoutPassword(argument) }
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return argument }
    let value = String(argument[argument.index(after: equals)...])
    return PostgresStore.isURI(value) ? argument[...equals] + PostgresStore.withoutPassword(value) : argument
  }
}
