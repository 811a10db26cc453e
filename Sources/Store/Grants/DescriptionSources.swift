/// The inputs of a provider's description other than its reference. While they are equal, the description is unchanged.
package struct DescriptionSources: Sendable, Equatable {
  /// One of the user's provider files; `stamp` is nil if the file does not exist.
  package struct File: Sendable, Equatable {
    package var path: String
    package var stamp: FileStamp?

    package init(path: String, stamp: FileStamp?) {
      self.path = path
      self.stamp = stamp
    }
  }

  package var hasFiles: Bool
  package var files: [File]
  package var discoveries: ObjectIdentifier?
  package var revision: Int

  package init(hasFiles: Bool, files: [File], discoveries: ObjectIdentifier?, revision: Int) {
    self.hasFiles = hasFiles
    self.files = files
    self.discoveries = discoveries
    self.revision = revision
  }
}
