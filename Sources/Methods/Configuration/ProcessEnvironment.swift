import Jansson
import Loopback
import OAuthCore
import Platform
import Store

/// The environment that the process was started with.
package enum ProcessEnvironment {
  /// Returns the variable's value. An empty variable counts as unset, as the XDG specification requires.
  @Sendable package static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// Returns a folder of the XDG base directories: the variable's absolute value, else the default in the home folder; nil without a home.
  package static func folder(_ name: String, inHome place: String) -> String? {
    if let folder = variable(name), folder.hasPrefix("/") { return folder }
    return home.map { "\($0)/\(place)" }
  }

  /// Whether there is a place for that folder. A home directory is one.
  static func hasFolder(_ name: String) -> Bool { folder(name, inHome: "") != nil }

  /// `$HOME`, else the home folder from the user database if it exists. Never the current folder, where a user would not look for tokens.
  private static var home: String? {
    if let home = variable("HOME"), home.hasPrefix("/") { return home }
    guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir, folder.pointee == UInt8(ascii: "/"), access(folder, X_OK) == 0
    else {
      return nil
    }
    return String(cString: folder)
  }

  package static var variables: [String: String] {
    var variables: [String: String] = [:]
    var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    #if canImport(Glibc)
      entry = environ
    #else
      entry = _NSGetEnviron().pointee
    #endif
    while let text = entry.pointee {
      let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2 { variables[String(pair[0])] = String(pair[1]) }
      entry += 1
    }
    return variables
  }
}
