import CPlatform

/// The program of this process, and the files of other programs.
package enum ProgramFile {
  /// The words that started this process: the program's name and its arguments. `CommandLine.arguments` finds nothing where /proc is missing.
  package static var words: [String] {
    var words: [String] = []
    var next = cplatform_arguments()
    while let word = next?.pointee {
      words.append(String(cString: word))
      next = next?.advanced(by: 1)
    }
    return words
  }

  /// The name of the file at a path.
  package static func name(_ path: String) -> Substring {
    let bytes = path.utf8
    return path[(bytes.lastIndex(of: UInt8(ascii: "/")).map(bytes.index(after:)) ?? bytes.startIndex)...]
  }

  /// POSIX defines no default for a missing PATH. These folders hold the usual programs.
  private static let usualFolders = "/usr/local/bin:/usr/bin:/bin"

  /// The file of this process's program; nil if the system does not tell.
  package static var own: String? {
    #if canImport(Glibc)
      return PosixFile.realPath("/proc/self/exe")
    #else
      var size: UInt32 = 4096
      var path = [CChar](repeating: 0, count: Int(size))
      return _NSGetExecutablePath(&path, &size) == 0 ? PosixFile.realPath(String(terminated: path)) : nil
    #endif
  }

  /// Searches, as a shell does, the absolute folders of `path` for a name without a slash. Returns nil if there is no executable file.
  ///
  /// An empty or relative folder in PATH would run programs from the client's working directory.
  package static func find(_ name: String, in path: String?, where isWanted: (String) -> Bool = { _ in true }) -> String? {
    if name.contains("/") { return isProgram(name) ? name : nil }
    let places = (path ?? usualFolders).split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
    return places.first { isProgram($0) && isWanted($0) }
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
