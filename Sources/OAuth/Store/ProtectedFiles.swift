#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The files that no API call reads or writes: the store, the configuration and the user's provider files. They hold secrets, and they decide where
/// secrets go.
///
/// Files are compared by device and inode, so that no link, mount or other spelling leads to one.
package struct ProtectedFiles: Sendable {
  /// Everything in and below them.
  private let folders: [String]
  private let files: [String]

  package init(folders: [String] = [], files: [String] = []) { (self.folders, self.files) = (folders, files) }

  /// Throws where `path` is one of them, or would become one if it were written.
  package func check(_ path: String) throws(HTTPFailure) {
    let isOurs = isBelow(path) || isLinked(path) || files.contains { isSamePlace(path, $0) }
    if isOurs { throw .file(path: path, reason: "it belongs to the store, the configuration or the provider files of oauth-stdio") }
  }

  /// Whether a folder above the file, or above what a link of that name leads to, is a protected one.
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

  /// Whether the file is one of them under another name.
  private func isLinked(_ path: String) -> Bool {
    guard let identity = Identity(path) else { return false }
    return files.contains { Identity($0) == identity } || folders.contains { Self.has($0, identity) }
  }

  /// Whether the folder has an entry that is, or leads to, that file.
  private static func has(_ folder: String, _ identity: Identity) -> Bool {
    guard let stream = opendir(folder) else { return false }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let (inode, kind) = (UInt64(entry.pointee.d_ino), Int32(entry.pointee.d_type))
      // Only a link can lead to another file than its own.
      guard inode == identity.inode || kind == Int32(DT_LNK) || kind == Int32(DT_UNKNOWN) else { continue }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if Identity("\(folder)/\(name)") == identity { return true }
    }
    return false
  }

  /// Whether both name the same file, there or not; some file systems take two spellings for one name.
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

  /// What tells a file from all others.
  private struct Identity: Equatable {
    let device: UInt64
    let inode: UInt64

    /// nil where nothing of that name can be looked at.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
    }
  }
}
