/// A file that a user wrote, whole in memory.
package enum TextFile {
  /// 1 MiB: more than anybody writes by hand.
  private static let limit = 1 << 20

  /// nil where there is none.
  package static func read(_ path: String) throws(OAuthFailure) -> [UInt8]? {
    try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.read(path, limit: limit) }
  }
}
