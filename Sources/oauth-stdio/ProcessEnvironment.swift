#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The environment that the process was started with.
enum ProcessEnvironment {
  /// As C has it, for handing on.
  static var pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    #if canImport(Glibc)
      environ
    #else
      _NSGetEnviron().pointee
    #endif
  }

  /// An empty variable counts as unset, as the XDG specification has it.
  @Sendable static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  static var variables: [String: String] {
    var variables: [String: String] = [:]
    var entry = pointer
    while let text = entry.pointee {
      let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2 { variables[String(pair[0])] = String(pair[1]) }
      entry += 1
    }
    return variables
  }
}
