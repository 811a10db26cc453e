import Jansson
import OAuthCore

extension ProviderCatalog {
  /// The inputs of a description other than its reference. While they are equal, the description is unchanged.
  struct Sources: Sendable, Equatable {
    fileprivate var hasFiles: Bool
    fileprivate var files: [File]
    fileprivate var discoveries: ObjectIdentifier?
    fileprivate var revision: Int
  }

  /// One of the user's provider files; `stamp` is nil if the file does not exist.
  fileprivate struct File: Equatable {
    var path: String
    var stamp: FileStamp?
  }

  func sources(of reference: ProviderReference) -> Sources {
    var found: [File] = []
    var names: [String] = []
    var next = reference.presetName
    while let name = next, let files, !names.contains(name) {
      names.append(name)
      let path = files.path(of: name)
      found.append(File(path: path, stamp: FileStamp.ifAny(path)))
      // A file that cannot be read ends the search. Using it later reports the error.
      next = found.last?.stamp == nil ? nil : (try? files.description(of: name)).flatMap { JSON.object($0)["preset"]?.string }
    }
    return Sources(
      hasFiles: files != nil, files: found, discoveries: discoveries.map(ObjectIdentifier.init), revision: discoveries?.revision ?? 0)
  }

  func isUnchanged(_ sources: Sources) -> Bool {
    sources.hasFiles == (files != nil) && sources.discoveries == discoveries.map(ObjectIdentifier.init)
      && sources.revision == discoveries?.revision ?? 0 && sources.files.allSatisfy { $0.stamp == FileStamp.ifAny($0.path) }
  }
}
