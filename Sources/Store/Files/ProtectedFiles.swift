import OAuthCore
import Platform

/// The files that no API call reads or writes: the store, the configuration and the user's provider files. They hold secrets and decide where the
/// process sends secrets.
///
/// Files are compared by device and inode. A link, a mount or another spelling is therefore recognised.
package struct ProtectedFiles: Sendable {
  /// Folders that are protected with everything below them.
  private let folders: [String]
  private let files: [String]

  package init(folders: [String] = [], files: [String] = []) { (self.folders, self.files) = (folders, files) }

  /// Throws if `path` is a protected file or would become one when written.
  package func check(_ path: String) throws(HTTPFailure) {
    let isOurs = isBelow(path) || isLinked(path) || files.contains { isSamePlace(path, $0) }
    if isOurs { throw .file(path: path, reason: "it belongs to the store, the configuration or the provider files of oauth-stdio") }
    if PosixFile.isOfProc(path) { throw .file(path: path, reason: "it is in /proc, which shows the secrets of processes") }
  }

  /// Whether the file, or the target of a link of that name, is below a protected folder.
  private func isBelow(_ path: String) -> Bool {
    let wanted = folders.compactMap(Identity.init)
    guard !wanted.isEmpty else { return false }
    return [Self.folder(of: path), Self.resolved(path).map(Self.folder)].compactMap(\.self).contains { Self.isAnyAbove($0, wanted) }
  }

  private static func isAnyAbove(_ folder: String, _ wanted: [Identity]) -> Bool {
    var place = folder
    guard var found = Identity(place) else { return false }
    while true {
      if wanted.contains(found) { return true }
      place += "/.."
      guard let parent = Identity(place), parent != found else { return false }
      found = parent
    }
  }

  /// Whether the file is a protected one under another name.
  private func isLinked(_ path: String) -> Bool {
    guard let identity = Identity(path) else { return false }
    return files.contains { Identity($0) == identity } || folders.contains { Self.has($0, identity) }
  }

  /// Whether an entry of the folder is that file or links to it.
  private static func has(_ folder: String, _ identity: Identity) -> Bool {
    guard let stream = opendir(folder) else { return false }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let (inode, kind) = (UInt64(entry.pointee.d_ino), Int32(entry.pointee.d_type))
      // Only a symbolic link can lead to a file with another inode.
      guard inode == identity.inode || kind == Int32(DT_LNK) || kind == Int32(DT_UNKNOWN) else { continue }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if Identity("\(folder)/\(name)") == identity { return true }
    }
    return false
  }

  /// Whether both paths name the same file, existing or not. Ignores case, as some file systems do.
  private func isSamePlace(_ path: String, _ other: String) -> Bool {
    guard let folder = Identity(Self.folder(of: path)), folder == Identity(Self.folder(of: other)) else { return false }
    return Self.name(of: path).lowercased() == Self.name(of: other).lowercased()
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func name(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  private static func resolved(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  /// Device and inode, which identify a file.
  private struct Identity: Equatable {
    let device: UInt64
    let inode: UInt64

    /// nil if the path cannot be examined.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
    }
  }
}
