import Jansson
import OAuthCore
import Platform
import Store

/// The provider files in the user's folder, one per provider and named for it.
///
/// Each is read when it is used: a change needs no restart, an error in one file does not affect others, and start-up stays fast.
package final class ProviderFiles: Sendable {
  private static let suffix = ".json"

  private let folder: String
  private let owners: TrustedOwners
  private let log: (any LogSink)?

  package init(folder: String, owners: TrustedOwners = TrustedOwners(), log: (any LogSink)? = nil) {
    (self.folder, self.owners, self.log) = (folder, owners, log)
  }

  /// The names of the files; empty if there is no folder that can be read.
  package var names: [String] {
    do throws(PosixFile.Fault) {
      let found = try PosixFile.names(in: folder, endingIn: Self.suffix)
      return found.map { String($0.dropLast(Self.suffix.count)) }.filter(Self.isName).sorted()
    } catch {
      if access(folder, F_OK) == 0 { log?.take(.fileBroken("the folder of provider files \(folder) cannot be read: \(error.reason)")) }
      return []
    }
  }

  /// Returns the members of the file of this name; nil if there is none.
  package func description(of name: String) throws(OAuthFailure) -> [JSON.Member]? {
    do throws(OAuthFailure) {
      return try read(name)
    } catch {
      log?.take(.fileBroken(error.message))
      throw error
    }
  }

  func path(of name: String) -> String { "\(folder)/\(name)\(Self.suffix)" }

  private func read(_ name: String) throws(OAuthFailure) -> [JSON.Member]? {
    // Built-in presets stay available if the folder cannot be read. No preset replaces a file that the folder lists: reading that file then fails.
    guard Self.isName(name), access(folder, X_OK) == 0 || names.contains(name) else { return nil }
    let file = JSONFile(path(of: name), "the provider file", owners)
    guard let json = try file.read() else { return nil }
    guard let members = json.members else { throw file.invalid("", "must be an object, not \(json.kind)") }
    let provider = try file.decoded { () throws(FieldError) in try Provider.decode(json) }
    guard provider.oauth1.privateKey == nil || file.isPrivate else {
      throw file.invalid("/privateKey", "is a secret in a file that others can open: make it readable only for its owner")
    }
    return members.filter { $0.name != "$schema" }
  }

  /// Checks a name, which becomes the account's name. It comes from a caller, so it must not lead out of the folder.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, isASCIILetterOrDigit(first), name.utf8.count <= 100 else { return false }
    return name.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-_.".utf8.contains($0) }
  }
}
