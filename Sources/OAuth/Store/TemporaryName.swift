import Jansson
import OAuthCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Names the store's temporary files: the final file's name, the process identifier and a random part.
enum TemporaryName {
  private static let end = ".tmp"
  /// Six random bytes in base64url.
  private static let randomBytes = 6
  private static let randomLength = 8

  static func of(_ path: String, _ random: (Int) -> [UInt8]) -> String {
    "\(path).\(getpid()).\(Base64.encodeURL(random(randomBytes)))\(end)"
  }

  /// Returns the name that the temporary file was to get; nil if the store would not have created such a name.
  static func target(of name: String) -> String? {
    guard name.hasSuffix(end) else { return nil }
    let parts = name.dropLast(end.count).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 2 else { return nil }
    let (random, process) = (parts[parts.count - 1], parts[parts.count - 2])
    guard random.utf8.count == randomLength, random.utf8.allSatisfy({ isASCIILetterOrDigit($0) || "-_".utf8.contains($0) }),
      let id = pid_t(process), id > 0, String(id) == process
    else { return nil }
    let target = parts.dropLast(2).joined(separator: ".")
    return target == KeyFile.name || target == ListingIndex.name || isGrant(target) ? target : nil
  }

  private static func isGrant(_ name: String) -> Bool {
    guard name.hasSuffix(".grant"), name.utf8.count > ".grant".utf8.count, !name.hasPrefix(".") else { return false }
    return name.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || "-_.%".utf8.contains($0) }
  }
}
