#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The file of a program that is named as in a shell.
package enum ProgramFile {
  /// POSIX leaves a system without PATH open; these folders hold the usual programs.
  private static let usualFolders = "/usr/local/bin:/usr/bin:/bin"

  /// A name without a slash is searched in the absolute folders of `path`; nil where there is nothing to run.
  ///
  /// An empty or relative folder in PATH would run what lies in the client's working directory.
  package static func find(_ name: String, in path: String?) -> String? {
    if name.contains("/") { return isProgram(name) ? name : nil }
    return (path ?? usualFolders).split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first(where: isProgram)
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
