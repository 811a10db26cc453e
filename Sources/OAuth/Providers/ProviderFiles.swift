import Jansson

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The providers that a user has described: one file each, named for its provider. Read anew whenever one is asked for, so that a change needs no restart,
/// a fault in one stops no other, and start-up pays nothing.
package struct ProviderFiles: Sendable {
  private static let suffix = ".json"

  private let folder: String
  private let owners: TrustedOwners
  private let remark: @Sendable (Remark) -> Void

  package init(folder: String, owners: TrustedOwners = TrustedOwners(), remark: @escaping @Sendable (Remark) -> Void = { _ in }) {
    self.folder = folder
    self.owners = owners
    self.remark = remark
  }

  /// The names that there are files for; a folder that is not there has none.
  package var names: [String] {
    get throws(OAuthFailure) {
      try contents.filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) }.filter(Self.isName).sorted()
    }
  }

  private var contents: [String] {
    get throws(OAuthFailure) {
      do throws(PosixFile.Fault) {
        return try PosixFile.names(in: folder)
      } catch {
        guard isThere else { return [] }
        throw OAuthFailure(
          .configurationInvalid, "the folder of provider files \(folder) cannot be read: \(error.reason)",
          details: [.init("path", ""), .init("file", .string(folder))])
      }
    }
  }

  /// Whether anything has that name; a home that is no folder, such as /dev/null, has none either.
  private var isThere: Bool { access(folder, F_OK) == 0 || (errno != ENOTDIR && errno != ENOENT) }

  /// Why no file can be read, whatever its name; nil where some can, or where there is no folder.
  var fault: OAuthFailure? {
    do {
      _ = try contents
      return nil
    } catch {
      return error
    }
  }

  /// The members that the file of this name has; nil where there is none.
  package func description(of name: String) throws(OAuthFailure) -> [JSON.Member]? {
    do throws(OAuthFailure) {
      return try read(name)
    } catch {
      remark(.fileBroken(error.message))
      throw error
    }
  }

  func path(of name: String) -> String { "\(folder)/\(name)\(Self.suffix)" }

  private func read(_ name: String) throws(OAuthFailure) -> [JSON.Member]? {
    guard Self.isName(name) else { return nil }
    let file = JSONFile(path(of: name), "the provider file", owners)
    guard isThere, let json = try file.read() else { return nil }
    guard let members = json.members else { throw file.invalid("", "has to be an object, not \(json.kind)") }
    let provider: Provider
    do throws(FieldError) {
      provider = try Provider.decode(json)
    } catch {
      throw file.invalid(error.path, error.problem)
    }
    if provider.oauth1.privateKey != nil {
      guard file.isPrivate else {
        throw file.invalid("/privateKey", "is a secret in a file that others can open: make it readable for its owner alone")
      }
    }
    return members.filter { $0.name != "$schema" }
  }

  /// A name comes from a caller, so it must not lead out of the folder, and it becomes the account's.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, isASCIILetterOrDigit(first), name.utf8.count <= 100 else { return false }
    return name.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-_.".utf8.contains($0) }
  }
}
