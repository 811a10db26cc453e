/// Finds the file of a program as a shell does.
package enum ProgramFile {
  /// POSIX defines no default for a missing PATH. These folders hold the usual programs.
  private static let usualFolders = "/usr/local/bin:/usr/bin:/bin"

  /// Searches the absolute folders of `path` for a name without a slash. Returns nil if there is no executable file.
  ///
  /// An empty or relative folder in PATH would run programs from the client's working directory.
  package static func find(_ name: String, in path: String?) -> String? {
    if name.contains("/") { return isProgram(name) ? name : nil }
    return (path ?? usualFolders).split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first(where: isProgram)
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
