import OAuthCore
import Platform
import Store

/// The process's own store, and others that a request names.
struct Stores: Sendable {
  /// Where the process keeps its grants.
  let own: any AccountStore
  /// The folder with the key; nil without a folder. A database's key is where a folder's key would be.
  let files: FileStore?
  /// Opens the folder of another store.
  private let folder: @Sendable (String) -> FileStore
  private let connect: @Sendable (_ uri: String, _ local: FileStore) throws(OAuthFailure) -> PostgresStore

  /// `name` is what `--store` says, and `usual` the folder without it.
  init(
    _ name: String?, usual: String?, folder: @escaping @Sendable (String) -> FileStore,
    connect: @escaping @Sendable (_ uri: String, _ local: FileStore) throws(OAuthFailure) -> PostgresStore
  ) throws(OAuthFailure) {
    try Self.check(name)
    (self.folder, self.connect) = (folder, connect)
    let uri = name.flatMap { PostgresStore.isURI($0) ? $0 : nil }
    files = name == "memory" ? nil : (uri == nil ? name ?? usual : usual).map(folder)
    guard let uri else {
      own = if let files { files } else { MemoryStore(rejecting: name == nil ? MemoryStore.homeless : nil) }
      return
    }
    guard let files else { throw MemoryStore.homeless }
    own = try connect(uri, files)
  }

  /// Rejects what is meant as a database but would become a folder, with a password in its name. A path that begins with a slash or a dot is a
  /// folder, and so are a name of letters and digits and the name of a folder that exists. No folder with the name `~` is made.
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
  @Sendable func open(_ name: String?) throws(OAuthFailure) -> any AccountStore {
    guard let name else { return own }
    try Self.check(name)
    guard PostgresStore.isURI(name) else { return folder(name) }
    guard let files else { throw MemoryStore.homeless }
    return try connect(name, files)
  }
}
