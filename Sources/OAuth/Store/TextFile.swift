/// A file that a user wrote, whole in memory.
package enum TextFile {
  /// nil where there is none.
  package static func read(_ path: String) throws(OAuthFailure) -> [UInt8]? {
    try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.read(path) }
  }
}
