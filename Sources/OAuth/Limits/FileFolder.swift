import OAuthCore
import Platform

/// The only folder for the files of API calls. Nothing leads out of it: no `..`, and no link, whether it was there before or is made meanwhile.
package struct FileFolder: Sendable, Equatable {
  /// As the user wrote it.
  package let text: String
  /// Without links; empty for the root folder.
  private let path: String

  /// The folder, without links.
  var root: String { path.isEmpty ? "/" : path }

  /// Returns nil if there is no such folder.
  package init?(_ text: String) {
    guard let found = realpath(text, nil) else { return nil }
    defer { free(found) }
    var status = stat()
    guard stat(found, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    self.text = text
    path = String(cString: found) == "/" ? "" : String(cString: found)
  }

  /// Returns the path of a file below the folder, without links. A relative path starts in the folder.
  func place(_ file: String) throws(OAuthFailure) -> String {
    // Compared by bytes: a slash and a combining mark are one character of Swift's, and two to the kernel.
    let slash = UInt8(ascii: "/")
    var rest = file.utf8[...]
    if rest.first == slash {
      guard let start = [path, text].first(where: { rest.starts(with: Array($0.utf8) + [slash]) }) else {
        throw Limits.failure(.files, "\(file) is not below \(text)")
      }
      rest = rest.dropFirst(start.utf8.count)
    }
    let parts = rest.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
    guard !parts.isEmpty, !parts.contains(where: { $0.elementsEqual("..".utf8) }) else {
      throw Limits.failure(.files, "\(file) is not below \(text)")
    }
    let place = path + parts.map { "/" + String(Substring($0)) }.joined()
    do throws(PosixFile.Fault) {
      let found = try FilePlace(place, below: root)
      guard (found.status?.st_nlink ?? 1) <= 1 || found.status?.st_mode ?? 0 & S_IFMT == S_IFDIR else {
        throw PosixFile.Fault(path: file, code: ELOOP)
      }
    } catch {
      switch error.code {
      case ELOOP, ENOTDIR: throw Limits.failure(.files, "a part of \(file) is a link")
      default: break
      }
    }
    return place
  }
}
