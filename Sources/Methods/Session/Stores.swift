import HTTP
import OAuthCore
import Platform
import Store

/// The process's own store, and others that a request names.
struct Stores: Sendable {
  /// Where the process stores its grants.
  let own: any AccountStore
  /// The folder with the key; nil without a folder. A database's key is where a folder's key would be.
  let files: FileStore?
  private let parts: Parts

  /// What every store needs.
  struct Parts {
    let owners: TrustedOwners
    let configuration: ConfigurationFile
    let log: Log

    func folder(_ path: String) -> FileStore { FileStore(folder: path, owners: owners, clock: .system, keyChoice: configuration, log: log) }

    func database(_ uri: String, _ local: FileStore?) throws(OAuthFailure) -> PostgresStore {
      guard let local else { throw MemoryStore.homeless }
      return try PostgresStore(
        uri: uri, local: local, clock: .system, certificates: CertificateFile.path(ProcessEnvironment.variable), log: log)
    }
  }

  /// `name` is what `--store` says, and `usual` the folder without it.
  init(_ name: String?, usual: String?, _ parts: Parts) throws(OAuthFailure) {
    try Self.check(name)
    self.parts = parts
    let uri = name.flatMap { PostgresStore.isURI($0) ? $0 : nil }
    files = name == "memory" ? nil : (uri == nil ? name ?? usual : usual).map(parts.folder)
    own =
      if let uri {
        try parts.database(uri, files)
      } else if let files {
        files
      } else {
        MemoryStore(rejecting: name == nil ? MemoryStore.homeless : nil)
      }
  }

  /// Rejects what is meant as a database but would become a folder, with a password in its name. A path that begins with a slash or a dot is a
  /// folder. So are a name of letters and digits and an existing folder. No folder with the name `~` is made.
  private static func check(_ name: String?) throws(OAuthFailure) {
    guard let name, !name.hasPrefix("/"), !name.hasPrefix(".") else { return }
    if PostgresStore.isURI(name) { return }
    guard !name.hasPrefix("~") else {
      throw OAuthFailure(
        .configurationInvalid, "write the full path of the store \(name): the shell expands ~ only at the start of a word")
    }
    var status = stat()
    if stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
    let isAlmostURI = name.lowercased().hasPrefix("postgres") && name.contains("/")
    guard isAlmostURI || !name.allSatisfy({ $0.isLetter || $0.isNumber || "-._+/".contains($0) }) else { return }
    throw OAuthFailure(
      .configurationInvalid,
      "a store is a folder or a database URI, and this is neither: write postgresql://HOST/NAME, or ./NAME for a folder")
  }

  /// Returns the store with this name: a folder's path, or a URI. nil is the process's own.
  func open(_ name: String?) throws(OAuthFailure) -> any AccountStore {
    guard let name else { return own }
    try Self.check(name)
    return PostgresStore.isURI(name) ? try parts.database(name, files) : parts.folder(name)
  }
}
