/// The inputs of a provider's description other than its reference. While they are equal, the description is unchanged.
package struct DescriptionSources: Sendable, Equatable {
  /// One of the user's provider files; `stamp` is nil if the file does not exist.
  package struct File: Sendable, Equatable {
    package let path: String
    package let stamp: FileStamp?

    package init(path: String, stamp: FileStamp?) {
      self.path = path
      self.stamp = stamp
    }
  }

  package let hasFiles: Bool
  package let files: [File]
  package let discoveries: ObjectIdentifier?
  package let revision: Int

  package init(hasFiles: Bool, files: [File], discoveries: ObjectIdentifier?, revision: Int) {
    self.hasFiles = hasFiles
    self.files = files
    self.discoveries = discoveries
    self.revision = revision
  }
}
