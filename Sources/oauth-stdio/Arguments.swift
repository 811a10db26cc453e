import OAuth

/// The words of the command line behind the program's name.
enum Arguments {
  static func read() -> [String] {
    #if os(Linux)
      // The standard library searches the whole process's memory map for them, which costs a noticeable part of the start.
      do throws(OAuthFailure) {
        if let bytes = try TextFile.read("/proc/self/cmdline"), bytes.last == 0 {
          let words = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
          return words.dropFirst().map { String(decoding: $0, as: UTF8.self) }
        }
      } catch {
        // Without /proc the long way is the only one.
      }
    #endif
    return Array(CommandLine.arguments.dropFirst())
  }
}
