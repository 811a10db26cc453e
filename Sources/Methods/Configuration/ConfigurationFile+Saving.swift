import Jansson
import Store

extension ConfigurationFile {
  /// Adds the members to the account, and the account to the file. Members that the account has already get the new values.
  package func add(_ account: String, _ members: [JSON.Member]) throws(UserFile.Fault) {
    let path = file.path.plain
    func existingMembers(_ value: JSON?, _ place: String) throws(UserFile.Fault) -> [JSON.Member] {
      guard let value else { return [] }
      guard let members = value.members else { throw UserFile.Fault(message: "\(place) in \(path) is not an object") }
      return members
    }
    try UserFile(file.path).change { root throws(UserFile.Fault) in
      var accounts = try existingMembers(root.first { $0.name == "accounts" }?.value, "accounts")
      var entry = try existingMembers(accounts.first { $0.name == account }?.value, "the account \(account.plain)")
      for member in members { UserFile.set(member, in: &entry) }
      UserFile.set(.init(account, .object(entry)), in: &accounts)
      UserFile.set(.init("accounts", .object(accounts)), in: &root)
    }
  }

  /// Writes a secret to a file of the user alone, beside the configuration. Returns the file's path.
  package func saveSecret(_ account: String, _ secret: [UInt8]) throws(UserFile.Fault) -> String {
    let path = "\(secretFolder)/\(FileName.stem(account))"
    try UserFile(path, isSecret: true).replace { secret + [UInt8(ascii: "\n")] }
    return path
  }

  /// The folder of the secrets that `login` saved. Each configuration in a folder has its own.
  var secretFolder: String {
    let file = UserFile(file.path)
    return "\(file.folder)/\(file.name == "config.json" ? "" : file.name + ".")secrets"
  }

  /// The name of the account's secret in the keyring. An account of another configuration may have the same name.
  package func keyringName(_ account: String) -> String { "\(account) (\(UserFile(file.path).path))" }
}
