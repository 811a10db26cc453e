import Jansson
import OAuthCore
import Platform

/// The only folder for the files of API calls. Nothing leads out of it: no `..`, and no link, whether it was there before or is made meanwhile.
///
/// The folder is opened once. Another folder that gets its name later is not the one that the user allowed.
package struct FileFolder: Sendable, Equatable {
  /// As the user wrote it.
  package let text: String
  /// Without links; empty for the root folder.
  private let path: String
  private let folder: FilePlace

  /// The open folder.
  package var descriptor: Int32 { folder.folder }

  package init(_ text: String, at path: String = "") throws(FieldError) {
    guard let real = PosixFile.realPath(text), let folder = try? FilePlace(real + "/") else { throw FieldError(path, "is not a folder") }
    (self.text, self.folder, self.path) = (text, folder, real == "/" ? "" : real)
  }

  package static func == (a: FileFolder, b: FileFolder) -> Bool { a.path.utf8.elementsEqual(b.path.utf8) }

  /// Returns the path of a file from the folder on, without links. A relative path starts in the folder.
  package func place(_ file: String) throws(OAuthFailure) -> String {
    let slash = UInt8(ascii: "/")
    var rest = Substring(file).utf8
    if rest.first == slash {
      guard let start = [path, text].first(where: { rest.starts(with: ($0 + "/").utf8) }) else {
        throw Limits.failure(.files, "\(file) is not below \(text)")
      }
      rest = rest.dropFirst(start.utf8.count)
    }
    let parts = rest.split(separator: slash).map { String(Substring($0)) }.filter { $0 != "." }
    guard !parts.isEmpty, !parts.contains("..") else { throw Limits.failure(.files, "\(file) is not below \(text)") }
    let place = parts.joined(separator: "/")
    do throws(PosixFile.Fault) {
      let status = try FilePlace(place, below: descriptor).status
      guard status.map({ $0.st_nlink <= 1 || $0.st_mode & S_IFMT == S_IFDIR }) ?? true else {
        throw PosixFile.Fault(path: file, code: ELOOP)
      }
    } catch {
      switch error.code {
      case ELOOP: throw Limits.failure(.files, "a part of \(file) is a link")
      case ENOTDIR: throw Limits.failure(.files, "a part of \(file) is a link or not a folder")
      default: break
      }
    }
    return place
  }

  /// Whether this folder contains the other one or lies in it. Device and inode identify each folder, whatever its name is.
  /// A folder that does not exist yet counts as part of the one where it would be made.
  package func overlaps(_ other: String) -> Bool {
    let own = Self.parents(of: path + "/")
    var (place, exists) = (Substring(other.hasPrefix("/") ? other + "/" : "./\(other)/"), true)
    while access(String(place), F_OK) != 0, let slash = place.dropLast().utf8.lastIndex(of: UInt8(ascii: "/")) {
      (place, exists) = (place[...slash], false)
    }
    let others = Self.parents(of: String(place))
    guard let folder = own.first, let otherFolder = others.first else { return false }
    return others.contains { $0 == folder } || exists && own.contains { $0 == otherFolder }
  }

  /// Returns the device and inode of the folder and of each one above it.
  private static func parents(of folder: String) -> [(dev_t, ino_t)] {
    var (found, place, status) = ([(dev_t, ino_t)](), folder, stat())
    while stat(place, &status) == 0, found.last.map({ $0 != (status.st_dev, status.st_ino) }) ?? true {
      found.append((status.st_dev, status.st_ino))
      place += "/.."
    }
    return found
  }
}
