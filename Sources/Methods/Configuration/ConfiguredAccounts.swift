import Jansson
import OAuthCore
import Plans
import Store
import Synchronization

/// The accounts of a configuration. An entry is decoded when it is first asked for, and a fault in it affects nothing else.
final class ConfiguredAccounts: Sendable {
  /// What all entries say together.
  struct Summary: Sendable {
    /// The accounts' names, each with whether its tokens are the client's own, or with the fault of its entry.
    var names: [(name: String, entry: Result<Bool, OAuthFailure>)] = []
    /// The entries that are for other tokens of logins.
    var derived: [String: DerivedAccount] = [:]
    var hasLiteralSecret = false
  }

  private let file: JSONFile
  private let text: [UInt8]
  private let outline: [JSON.Unparsed]
  private let entries = Mutex<[String: ConfiguredAccount]>([:])
  private let cached = Mutex<Summary?>(nil)

  init(in file: JSONFile, _ text: [UInt8], _ outline: [JSON.Unparsed]) { (self.file, self.text, self.outline) = (file, text, outline) }

  /// Returns the account's entry; nil if there is none.
  func entry(_ name: String) throws(OAuthFailure) -> ConfiguredAccount? {
    if let entry = entries.withLock({ $0[name] }) { return entry }
    let found = outline.filter { $0.name == name }
    if found.isEmpty { return nil }
    var json = found.count == 1 ? try? JSON.parse(Array(found[0].text)) : nil
    // If it is not JSON or occurs twice, the parser of the whole text says where.
    if json == nil { json = try members().first { $0.name == name }?.value }
    let entry = try decode(.init(name, json ?? .null))
    entries.withLock { $0[name] = entry }
    return entry
  }

  func summary() throws(OAuthFailure) -> Summary {
    if let summary = cached.withLock({ $0 }) { return summary }
    var summary = Summary()
    for member in try members() {
      do throws(OAuthFailure) {
        let entry = try decode(member)
        summary.names.append((member.name, .success(entry.isForClient)))
        summary.derived[member.name] = entry.derived
        if entry.hasLiteralSecret { summary.hasLiteralSecret = true }
      } catch {
        summary.names.append((member.name, .failure(error)))
      }
    }
    cached.withLock { $0 = summary }
    return summary
  }

  /// The entries without a fault.
  func readable() throws(OAuthFailure) -> [ConfiguredAccount] { try members().compactMap { try? decode($0) } }

  private func members() throws(OAuthFailure) -> [JSON.Member] { try file.parsed(text)["accounts"]?.members ?? [] }

  private func decode(_ member: JSON.Member) throws(OAuthFailure) -> ConfiguredAccount {
    do throws(FieldError) {
      return try ConfiguredAccount.read(member.value, at: ObjectReader.pointer(to: member.name, in: "/accounts"))
    } catch {
      throw file.invalid(error.path, error.wholeProblem).of(member.name)
    }
  }
}
